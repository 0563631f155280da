import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { doors } from "./doors.ts";
import { exitCode } from "./exit-code.ts";
import { complain, type InterruptSignal, type Io, type Output, OutputFailed, write } from "./io.ts";
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
  process.exitCode = await main(process.argv.slice(2), { stdin, stdout, stderr, env, cwd: process.cwd(), onInterrupt });
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

const interrupts: readonly InterruptSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

function onInterrupt(listener: (signal: InterruptSignal) => void): () => void {
  for (const signal of interrupts) process.on(signal, listener);
  return () => {
    for (const signal of interrupts) process.off(signal, listener);
  };
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
  for (const addTo of doors) addTo(program, { io, end });
  return program;
}

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL("package.json", packageRoot), "utf8")) as { version: string }; // our own package.json
  return version;
}
