import { Option } from "commander";
import { append, type CommandDefinition } from "../command-definition.ts";
import type { RunOptions } from "./run-options.ts";

/** `sheepdog run`. */
export const runDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("run")
    .description("work a prompt off, from the first turn to the answer")
    .argument("[prompt...]", "what to do; - for stdin, which is also read where nothing else is given")
    .option("-f, --file <path>", "read the prompt from a file")
    .option("-m, --model <provider:id>", "the model to ask, e.g. anthropic:claude-sonnet-5")
    .option("--max-turns <n>", "end after so many turns")
    .option("--max-time <time>", "end after such a time: 90s, 10m, 2h")
    .option("--max-cost <dollars>", "end when so much is spent: 2.50")
    .option("--max-run-tokens <n>", "end when so many tokens are used")
    .addOption(new Option("--mode <mode>", "what the guardian may do").choices(["guide", "advise", "observe"]))
    .option("--set <key=value>", "any key of the configuration, e.g. agent.min_tail=4 (repeatable)", append)
    .addOption(
      new Option("-r, --resume <session>", "go on with a session; with a prompt, a new run in it").conflicts(
        "continue",
      ),
    )
    .option("-c, --continue", "the same with the newest session of this folder")
    .option("--fork", "with --resume or --continue: go on in a copy, and leave the session as it is")
    .option("--goal <text or file>", "what is to be achieved; with --expect, the run goes on until it is")
    .option("--expect <text>", "the answer must contain this (repeatable)", append)
    .option("--unattended", "ask nobody: what would be asked about is refused")
    .addOption(new Option("--json", "print one JSON document").conflicts("streamJson"))
    .option("--stream-json", "print one JSON event a line, the result last")
    .addOption(new Option("-q, --quiet", "print the answer and problems only").conflicts("verbose"))
    .option("--verbose", "show all there is: thinking, outputs, costs")
    .option("-C, --cwd <dir>", "the folder to work in")
    .action(async (words: string[], options: RunOptions) => {
      const { runCommand } = await import("./run-command.ts");
      setExitCode(await runCommand(words, options, io));
    });
};
