import { type Command, Option } from "commander";
import { groupings } from "../../look-back/groups.ts";
import { append, type CommandDefinition } from "../command-definition.ts";
import type { AnalyzeOptions } from "./analyze-options.ts";
import { chosenExplanation, explanations } from "./chosen-explanation.ts";
import { chosenHtml } from "./html-file.ts";
import { addInputOptions } from "./input-options.ts";
import { addSweep } from "./sweep-definition.ts";
import { worstOrders } from "./worst-orders.ts";

/** `sheepdog analyze`. */
export const analyzeDefinition: CommandDefinition = (program, context) => {
  const { io, setExitCode } = context;
  const analyze = program
    .command("analyze")
    .description("look back: where agents went in circles, and what it cost; needs no configuration")
    .argument("[paths...]", "recordings, folders of them, or - for stdin; without any, those of all agents here")
    .enablePositionalOptions();
  addReportOptions(addInputOptions(analyze));
  addSecondOpinionOptions(analyze);
  analyze.action(async (paths: string[], options: AnalyzeOptions) => {
    const { analyzeCommand } = await import("./analyze-command.ts");
    const { explain, path } = chosenExplanation(options.explain);
    const { html, path: pathAfterHtml } = chosenHtml(options.html);
    const chosen = {
      ...options,
      ...(explain === undefined ? {} : { explain }),
      ...(html === undefined ? {} : { html }),
    };
    const named = [path, pathAfterHtml].filter((each) => each !== undefined);
    setExitCode(await analyzeCommand([...named, ...paths], chosen, io));
  });
  addSweep(analyze, context);
};

/** What is printed, and in which form. */
function addReportOptions(analyze: Command): void {
  analyze
    .addOption(new Option("--by <what>", "print all of one table").choices(groupings).conflicts("explain"))
    .option("--top <n>", "number of rows and of runs to print (default: 10)")
    .addOption(
      new Option(
        "--sort <by>",
        "what makes a run worse than another (default: cost); spent orders the tables too",
      ).choices(worstOrders),
    )
    .addOption(
      new Option(
        "--explain [what]",
        `${explanations.join(" or ")}: the calls behind each finding, or how money is counted`,
      ).conflicts(["json", "jsonl", "html"]),
    )
    .option("--skipped", "name every file and line that could not be read")
    .addOption(new Option("--json", "print one JSON document").conflicts(["jsonl", "html"]))
    .addOption(new Option("--jsonl", "print one JSON object per run and line").conflicts("html"))
    .addOption(
      new Option(
        "--html [file.html]",
        "write a page for a browser, with charts and timelines; - for stdout (default: sheepdog-report.html)",
      ).conflicts("by"),
    )
    .option("--force", "let --html replace a file that is no report")
    .option(
      "--fail-on <what>",
      "exit with 5 at hint, warn, block, halt or any, or as in 'stuck>10%' (repeatable)",
      append,
    );
}

/** A reader of meaning besides the rules. */
function addSecondOpinionOptions(analyze: Command): void {
  analyze
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
    .option("--yes", "send the questions without asking you");
}
