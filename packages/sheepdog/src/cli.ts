import { CommanderError } from "commander";
import { exitCode, signalExitCode } from "./exit-code.ts";
import { NoHomeError } from "./home.ts";
import { type InterruptSignal, type Io, type Output, OutputError, write, writeError, writeMessage } from "./io.ts";
import { createProgram } from "./program.ts";
import { reportRuntimeWarnings } from "./runtime-warnings.ts";

/** Runs one command and returns its exit code. The handler of a command is loaded when the command runs. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await run(argv, io);
  } catch (error) {
    if (error instanceof NoHomeError) return await exitAfter(writeMessage(io, error.message), exitCode.usage);
    if (!(error instanceof OutputError)) return await reportUnexpected(error, io);
    return error.isReaderGone ? exitCode.done : await exitAfter(writeMessage(io, error.message), exitCode.failed);
  }
}

/** Runs the command of this process. `stdin` is what was already read of it. */
export async function start(stdin: Io["stdin"] = process.stdin): Promise<void> {
  const { stdout, stderr, env } = process;
  // Each write reports its own failure; an "error" event without a listener would end the process.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  reportRuntimeWarnings((sentence) => void writeMessage({ stderr, env }, sentence).catch(() => {}));
  const cwd = currentFolder();
  const argv = process.argv.slice(2);
  process.exitCode =
    cwd === undefined
      ? await reportMissingFolder(stderr)
      : await main(argv, { stdin, stdout, stderr, env, cwd, onInterrupt });
}

function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined; // the folder was removed
  }
}

async function reportMissingFolder(stderr: Output): Promise<number> {
  await writeMessage(
    { stderr, env: {} },
    "the current folder no longer exists; change to another folder and try again",
  );
  return exitCode.usage;
}

interface PendingOutput {
  readonly output: Output;
  readonly text: string;
}

async function run(argv: readonly string[], io: Io): Promise<number> {
  let code: number = exitCode.done;
  const pending: PendingOutput[] = [];
  const program = createProgram(io, {
    print: (output, text) => pending.push({ output, text }),
    setExitCode(commandCode) {
      code = commandCode;
    },
  });
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    code = error.exitCode === 0 ? exitCode.done : exitCode.usage;
    if (code === exitCode.usage) {
      const usageError = pending.map(({ text }) => text).join("");
      pending.push(...(await usageErrorOutput(io.stdout, argv, usageError)));
    }
  }
  for (const { output, text } of pending) await (output === io.stderr ? writeError(io, text) : write(output, text));
  return code;
}

/** `run --json` prints a JSON document even if its options are wrong. */
async function usageErrorOutput(
  stdout: Output,
  [command, ...args]: readonly string[],
  usageError: string,
): Promise<readonly PendingOutput[]> {
  if (command !== "run") return [];
  const { usageErrorDocument } = await import("./commands/run/usage-error-document.ts");
  const text = usageErrorDocument(args, usageError.replace(/^sheepdog: /, "").trimEnd());
  return text === undefined ? [] : [{ output: stdout, text }];
}

async function reportUnexpected(error: unknown, io: Io): Promise<number> {
  const { describeUnexpectedError } = await import("./unexpected-error.ts");
  return exitAfter(writeMessage(io, describeUnexpectedError(error, io)), exitCode.failed);
}

/** Waits for a message on stderr. If stderr fails too, the exit code is all that is left. */
async function exitAfter(writing: Promise<void>, code: number): Promise<number> {
  try {
    await writing;
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
  }
  return code;
}

const interrupts: readonly InterruptSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

function onInterrupt(listener: (signal: InterruptSignal) => void): () => void {
  for (const signal of interrupts) process.off(signal, exitOnSignal).on(signal, listener);
  return () => {
    for (const signal of interrupts) process.on(signal, exitOnSignal).off(signal, listener);
  };
}

/** Exits instead of dying by the signal: `exit` listeners kill child processes that are still running. */
function exitOnSignal(signal: InterruptSignal): void {
  process.exit(signalExitCode(signal));
}
