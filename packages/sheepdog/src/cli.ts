import { CommanderError } from "commander";
import { exitCode } from "./exit-code.ts";
import { NoHomeError } from "./home.ts";
import { complain, type InterruptSignal, type Io, type Output, OutputFailed, write } from "./io.ts";
import { createProgram } from "./program.ts";

/** Runs one command and says how it ended. Each command is loaded when it is asked for. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await run(argv, io);
  } catch (error) {
    if (error instanceof NoHomeError) return await orSilent(complain(io, error.message), exitCode.usage);
    if (!(error instanceof OutputFailed)) return await somethingFailed(error, io);
    return error.isReaderGone ? exitCode.done : await orSilent(complain(io, error.message));
  }
}

/** Runs the command of this process. */
export async function start(): Promise<void> {
  const { stdin, stdout, stderr, env } = process;
  for (const stream of [stdout, stderr]) stream.on("error", () => {}); // each write hears of its own failure; unheard, the event would end the process
  const cwd = currentFolder();
  const argv = process.argv.slice(2);
  process.exitCode = cwd === undefined ? await folderIsGone(stderr) : await main(argv, { stdin, stdout, stderr, env, cwd, onInterrupt });
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

async function somethingFailed(error: unknown, io: Io): Promise<number> {
  const { failureWords } = await import("./failure-words.ts");
  return orSilent(complain(io, failureWords(error, io)));
}

async function orSilent(telling: Promise<void>, code: number = exitCode.failed): Promise<number> {
  try {
    await telling;
  } catch (error) {
    if (!(error instanceof OutputFailed)) throw error; // stderr fails as well: the exit code is all that is left to say it with
  }
  return code;
}

const interrupts: readonly InterruptSignal[] = ["SIGINT", "SIGTERM", "SIGHUP"];

function onInterrupt(listener: (signal: InterruptSignal) => void): () => void {
  for (const signal of interrupts) process.on(signal, listener);
  return () => {
    for (const signal of interrupts) process.off(signal, listener);
  };
}
