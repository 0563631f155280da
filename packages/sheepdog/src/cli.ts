import { CommanderError } from "commander";
import { exitCode, signalExitCode } from "./exit-code.ts";
import { NoHomeError } from "./home.ts";
import { type InterruptSignal, type Io, type Output, OutputError, write, writeMessage } from "./io.ts";
import { createProgram } from "./program.ts";
import { reportRuntimeWarnings } from "./runtime-warnings.ts";

/** Runs one command and says how it ended. Each command is loaded when it is asked for. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await run(argv, io);
  } catch (error) {
    if (error instanceof NoHomeError) return await orSilent(writeMessage(io, error.message), exitCode.usage);
    if (!(error instanceof OutputError)) return await somethingFailed(error, io);
    return error.isReaderGone ? exitCode.done : await orSilent(writeMessage(io, error.message));
  }
}

/** Runs the command of this process. */
export async function start(): Promise<void> {
  const { stdin, stdout, stderr, env } = process;
  for (const stream of [stdout, stderr]) stream.on("error", () => {}); // each write hears of its own failure; unheard, the event would end the process
  reportRuntimeWarnings((sentence) => void stderr.write(`sheepdog: ${sentence}\n`));
  const cwd = currentFolder();
  const argv = process.argv.slice(2);
  process.exitCode =
    cwd === undefined ? await folderIsGone(stderr) : await main(argv, { stdin, stdout, stderr, env, cwd, onInterrupt });
}

function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined; // somebody has removed it
  }
}

async function folderIsGone(stderr: Output): Promise<number> {
  await write(stderr, "sheepdog: the folder this was called in is gone: go to another one\n");
  return exitCode.usage;
}

interface Said {
  readonly output: Output;
  readonly text: string;
}

async function run(argv: readonly string[], io: Io): Promise<number> {
  let code: number = exitCode.done;
  const said: Said[] = [];
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
    if (code === exitCode.usage) said.push(...(await owedTo(io.stdout, argv, said.map(({ text }) => text).join(""))));
  }
  for (const { output, text } of said) await write(output, text);
  return code;
}

/** Whoever has asked `run` for a document gets one, also where it is about the options. */
async function owedTo(stdout: Output, [command, ...words]: readonly string[], told: string): Promise<readonly Said[]> {
  if (command !== "run") return [];
  const { usageErrorDocument } = await import("./commands/run/usage-error-document.ts");
  const text = usageErrorDocument(words, told.replace(/^sheepdog: /, "").trimEnd());
  return text === undefined ? [] : [{ output: stdout, text }];
}

async function somethingFailed(error: unknown, io: Io): Promise<number> {
  const { describeUnexpectedError } = await import("./unexpected-error.ts");
  return orSilent(writeMessage(io, describeUnexpectedError(error, io)));
}

async function orSilent(telling: Promise<void>, code: number = exitCode.failed): Promise<number> {
  try {
    await telling;
  } catch (error) {
    if (!(error instanceof OutputError)) throw error; // stderr fails as well: the exit code is all that is left to say it with
  }
  return code;
}

const interrupts: readonly InterruptSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

function onInterrupt(listener: (signal: InterruptSignal) => void): () => void {
  for (const signal of interrupts) process.off(signal, leave).on(signal, listener);
  return () => {
    for (const signal of interrupts) process.on(signal, leave).off(signal, listener);
  };
}

/** Who has listened may have started processes that are still being ended: they are ended with this one if it exits, and live on if a signal ends it. */
function leave(signal: InterruptSignal): void {
  process.exit(signalExitCode(signal));
}
