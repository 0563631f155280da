import { readFileSync } from "node:fs";
import { Command, CommanderError, Option } from "commander";
import type { AnalyzeOptions } from "./analyze/analyze-command.ts";
import type { DemoOptions } from "./demo/demo-command.ts";
import { exitCode } from "./exit-code.ts";
import { complain, type Io, type Output, OutputFailed, write } from "./io.ts";
import { packageRoot } from "./package-root.ts";

/** Runs one command and says how it ended. Each command is loaded when it is asked for. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await run(argv, io);
  } catch (error) {
    if (!(error instanceof OutputFailed)) throw error;
    return error.isReaderGone ? exitCode.done : await outputFailed(error, io);
  }
}

/** Runs the command of this process. */
export async function start(): Promise<void> {
  const { stdin, stdout, stderr, env } = process;
  for (const stream of [stdout, stderr]) stream.on("error", () => {}); // each write hears of its own failure; unheard, the event would end the process
  process.exitCode = await main(process.argv.slice(2), { stdin, stdout, stderr, env, onInterrupt });
}

async function run(argv: readonly string[], io: Io): Promise<number> {
  let code: number = exitCode.done;
  const said: { readonly output: Output; readonly text: string }[] = [];
  const program = createProgram(io, {
    say: (output, text) => said.push({ output, text }),
    end(ended) {
      code = ended;
    },
  });
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    code = error.exitCode === 0 ? exitCode.done : exitCode.usage;
  }
  for (const { output, text } of said) await write(output, text);
  return code;
}

async function outputFailed(failure: OutputFailed, io: Io): Promise<number> {
  try {
    await complain(io, failure.message);
  } catch (error) {
    if (!(error instanceof OutputFailed)) throw error; // stderr fails as well: the exit code is all that is left to say it with
  }
  return exitCode.failed;
}

function onInterrupt(listener: () => void): () => void {
  process.once("SIGINT", listener).once("SIGTERM", listener);
  return () => process.off("SIGINT", listener).off("SIGTERM", listener);
}

/** What the program has to tell beside what its commands write: help, usage errors, and how it ended. */
interface Told {
  say(output: Output, text: string): void;
  end(code: number): void;
}

function createProgram(io: Io, { say, end }: Told): Command {
  const program = new Command("sheepdog")
    .description("Notices when an agent runs in circles, stalls or burns money, and brings it back on course.")
    .version(version(), "-v, --version", "print the version")
    .exitOverride()
    .configureOutput({ writeOut: (text) => say(io.stdout, text), writeErr: (text) => say(io.stderr, text) });

  program
    .command("analyze")
    .description("look back over recordings: where agents were stuck and what it cost")
    .argument("[paths...]", "recordings (trajectory JSONL, plain or gzip), directories of them, or - for stdin")
    .addOption(new Option("--json", "print one JSON document").conflicts("jsonl"))
    .addOption(new Option("--jsonl", "print the run objects, one a line"))
    .addOption(new Option("--explain", "print each finding with the calls that show it").conflicts(["json", "jsonl"]))
    .option("--policy <name or file>", "a preset, or a JSON file with what is different from the default")
    .option("--set <key=value>", "change one key of the policy, e.g. detectors.doom-loop.hint=4 or limits.turns.stop=50 (repeatable)", append)
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
