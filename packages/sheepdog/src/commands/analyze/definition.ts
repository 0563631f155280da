import { Option } from "commander";
import { append, type CommandDefinition } from "../command-definition.ts";
import type { AnalyzeOptions } from "./analyze-command.ts";

/** `sheepdog analyze`. */
export const analyzeDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("analyze")
    .description("analyze recorded runs: where agents were stuck and what it cost")
    .argument("[paths...]", "recordings (trajectory JSONL, plain or gzip), directories of them, or - for stdin")
    .addOption(new Option("--json", "print one JSON document").conflicts("jsonl"))
    .addOption(new Option("--jsonl", "print one JSON object per run and line"))
    .addOption(new Option("--explain", "print the calls behind each finding").conflicts(["json", "jsonl"]))
    .option("--policy <name or file>", "a preset, or a JSON file with changes to the default policy")
    .option(
      "--set <key=value>",
      "change one key of the policy, e.g. detectors.doom-loop.hint=4 or limits.turns.stop=50 (repeatable)",
      append,
    )
    .addOption(
      new Option("--fail-on <level>", "exit with 5 if a finding reaches this level").choices([
        "hint",
        "warn",
        "block",
        "halt",
        "any",
      ]),
    )
    .addOption(
      new Option(
        "--briefs <folder>",
        "write the questions for a second opinion that have no answer yet; sends nothing",
      ).conflicts("secondOpinion"),
    )
    .option("--opinions <file>", 'answers to these questions, one a line: {"id", "verdict", "advice"}')
    .option("--second-opinion", "ask the configured model; shows the number and the cost first, and asks you")
    .addOption(
      new Option("--ask-when <when>", "ask before refusals and ends of runs, or before hints as well").choices([
        "before-force",
        "always",
      ]),
    )
    .option("--save-opinions <file>", "where the model's answers go (default: --opinions, or sheepdog-opinions.jsonl)")
    .option("--max-cost <dollars>", "the most that the model's answers may cost; off for no limit (default: 0.50)")
    .option("--yes", "send the questions without asking you")
    .action(async (paths: string[], options: AnalyzeOptions) => {
      const { analyzeCommand } = await import("./analyze-command.ts");
      setExitCode(await analyzeCommand(paths, options, io));
    });
};
