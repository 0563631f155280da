import { readFileSync } from "node:fs";
import { Command, CommanderError, Option } from "commander";
import type { AnalyzeOptions } from "./analyze/analyze-command.ts";
import type { DemoOptions } from "./demo/demo-command.ts";
import { exitCode } from "./exit-code.ts";
import type { Io } from "./io.ts";
import { packageRoot } from "./package-root.ts";

/** Runs one command and says how it ended. Each command is loaded when it is asked for. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  let code: number = exitCode.done;
  const program = createProgram(io, (ended) => {
    code = ended;
  });
  if (argv.length === 0) {
    program.outputHelp();
    return code;
  }
  try {
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage;
    throw error;
  }
}

/** Runs the command of this process. A reader that goes away, as `head` does, is no error. */
export async function start(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit(exitCode.done);
      throw error;
    });
  }
  const { stdin, stdout, stderr, env } = process;
  process.exitCode = await main(process.argv.slice(2), { stdin, stdout, stderr, env, onInterrupt });
}

function onInterrupt(listener: () => void): () => void {
  process.once("SIGINT", listener).once("SIGTERM", listener);
  return () => process.off("SIGINT", listener).off("SIGTERM", listener);
}

function createProgram(io: Io, end: (code: number) => void): Command {
  const program = new Command("sheepdog")
    .description("Notices when an agent runs in circles, stalls or burns money, and brings it back on course.")
    .version(version(), "-v, --version", "print the version")
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) });

  program
    .command("analyze")
    .description("look back over recordings: where agents were stuck and what it cost")
    .argument("[paths...]", "recordings (trajectory JSONL, plain or gzip), directories of them, or - for stdin")
    .addOption(new Option("--json", "print one JSON document").conflicts("jsonl"))
    .addOption(new Option("--jsonl", "print the run objects, one a line"))
    .addOption(new Option("--explain", "print each finding with the calls that show it").conflicts(["json", "jsonl"]))
    .option("--policy <name or file>", "a preset, or a JSON file with what is different from the default")
    .option("--set <key=value>", "change one key of the policy, e.g. detectors.doom-loop.hint=4 (repeatable)", append)
    .addOption(new Option("--fail-on <level>", "exit with 5 when a finding reaches this level").choices(["hint", "warn", "block", "halt", "any"]))
    .action(async (paths: string[], options: AnalyzeOptions) => {
      const { analyzeCommand } = await import("./analyze/analyze-command.ts");
      end(await analyzeCommand(paths, options, io));
    });

  program
    .command("demo")
    .description("watch the guardian at work on two recorded agents")
    .option("--fast", "do not pause between turns")
    .action(async (options: DemoOptions) => {
      const { demoCommand } = await import("./demo/demo-command.ts");
      end(await demoCommand(options, io));
    });

  return program;
}

function append(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL("package.json", packageRoot), "utf8")) as { version: string }; // our own package.json
  return version;
}
