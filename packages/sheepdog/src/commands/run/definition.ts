import { Option } from "commander";
import type { RunOptions } from "../../config/run-options.ts";
import { append, type CommandDefinition } from "../command-definition.ts";

/** `sheepdog run`. */
export const runDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("run")
    .description("run a prompt until the agent has answered")
    .argument("[prompt...]", "what to do; a pipe or a file on stdin is added to it; - waits for slow input")
    .option("-f, --file <path>", "read the prompt from a file")
    .option("-m, --model <provider:id>", "the model to use, e.g. anthropic:claude-sonnet-5")
    .option("--max-turns <n>", "stop after this many turns; 0: no limit")
    .option("--max-time <time>", "stop after this time: 90s, 10m, 2h; waiting for the provider counts; 0: no limit")
    .option("--max-cost <dollars>", "stop when this amount is spent: 2.50")
    .option("--max-run-tokens <n>", "stop when this many tokens are used")
    .addOption(new Option("--mode <mode>", "what the guardian may do").choices(["guide", "advise", "observe"]))
    .option("--set <key=value>", "set any configuration key, e.g. agent.min_tail=4 (repeatable)", append)
    .addOption(
      new Option("-r, --resume <session>", "continue a session; with a prompt, start a new run in it").conflicts(
        "continue",
      ),
    )
    .option("-c, --continue", "continue the newest session of this folder")
    .option("--fork", "with --resume or --continue: work in a copy of the session")
    .option("--goal <text or file>", "what to achieve: a text, a file with it, or a goal file (.toml) with criteria")
    .option("--expect <text>", "the answer must contain this text (repeatable)", append)
    .option("--expect-equals <text>", "the answer must be exactly this text")
    .option("--check <command>", 'this shell command must succeed, e.g. "npm test" (repeatable)', append)
    .option("--director", "plan first: split the goal into runs that depend on one another")
    .option("--unattended", "never ask: calls that need approval are refused, loops are ended")
    .addOption(
      new Option("--answers <where>", "who answers questions").choices(["remote"]).conflicts("unattended").hideHelp(),
    )
    .addOption(
      new Option("--session-id <id>", "the id of the new session").conflicts(["resume", "continue"]).hideHelp(),
    )
    .addOption(new Option("--start-file <path>", "write the id of the run to this file when it starts").hideHelp())
    .addOption(new Option("--json", "print one JSON document").conflicts("streamJson"))
    .option("--stream-json", "print one JSON event per line, the result last")
    .addOption(new Option("-q, --quiet", "print only the answer and problems").conflicts("verbose"))
    .option("--verbose", "show everything: thinking, outputs, costs")
    .option("-C, --cwd <dir>", "the folder to work in")
    .action(async (words: string[], options: RunOptions) => {
      const { runCommand } = await import("./run-command.ts");
      setExitCode(await runCommand(words, options, io));
    });
};
