import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { killOnExit } from "./kill-on-exit.ts";
import { killProcessTree } from "./kill-process-tree.ts";
import { createOutputBuffer, type OutputBuffer } from "./output-buffer.ts";
import { markVariable, type ProcessTreeId, signalGroup } from "./process-tree.ts";

/** How a command ended, and what it wrote. */
export type CommandEnd =
  | {
      readonly type: "exited";
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly output: string;
      readonly leftBehind: readonly string[];
    }
  | { readonly type: "timeout" | "aborted" | "flooded"; readonly output: string }
  | { readonly type: "unspawnable"; readonly error: unknown };

export interface CommandOptions {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly graceMs: number;
  /** A command that writes more is ended. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  /** Ends early, without an error, when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onOutput: (text: string) => void;
}

/** How long output that is still in the pipe may take once the command has ended. */
const drainMs = 200;
const kept = { headBytes: 64 * 1024, tailBytes: 192 * 1024 } as const;

/**
 * Runs a program in a session of its own, without input and terminal, and ends everything it started when it ends, runs out of time or is aborted. After an
 * abort it returns at once, and the ending goes on behind it. It never waits for a pipe that somebody else holds open.
 */
export async function runCommand(
  [program, ...args]: readonly [string, ...string[]],
  options: CommandOptions,
): Promise<CommandEnd> {
  const mark = randomUUID();
  const marks = [process.env[markVariable], mark].filter((each) => each !== undefined).join(" "); // an agent above ends what we started, too
  const output = createOutputBuffer(kept);
  let child: ChildProcess;
  try {
    const env = { ...options.environment, [markVariable]: marks };
    child = spawn(program, args, {
      cwd: options.cwd,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      shell: false,
    });
  } catch (error) {
    return { type: "unspawnable", error };
  }
  const sign = child.pid === undefined ? undefined : { leader: child.pid, mark };
  const forget = sign === undefined ? undefined : killOnExit(sign);
  const ended = new AbortController();
  const exit = exitOf(child);
  const flood = collect(child, output, options);
  const aborted = new Promise<"aborted">((resolve) => {
    if (options.signal.aborted) resolve("aborted");
    options.signal.addEventListener("abort", () => resolve("aborted"), { once: true, signal: ended.signal });
  });
  const timeout = Number.isFinite(options.timeoutMs)
    ? options
        .sleep(options.timeoutMs, AbortSignal.any([ended.signal, options.signal]))
        .then(() => (options.signal.aborted ? aborted : ("timeout" as const)))
    : aborted;
  const first = await Promise.race([exit, flood, aborted, timeout]);
  ended.abort();
  if (typeof first === "object" && "error" in first) return { type: "unspawnable", error: first.error };
  if (sign === undefined)
    return { type: "unspawnable", error: new Error("The system gave the command no process id.") };
  const ending = end(child, sign, options).finally(forget);
  if (first === "aborted") {
    ending.catch(() => signalGroup(sign.leader, "SIGKILL")); // nobody is left to be told
    return { type: "aborted", output: output.text() };
  }
  const leftBehind = await ending;
  return typeof first === "string"
    ? { type: first, output: output.text() }
    : { type: "exited", ...first, output: output.text(), leftBehind };
}

type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null } | { readonly error: unknown };

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ error }));
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
}

/** Takes in what the command writes; resolves when that is too much. */
function collect(
  child: ChildProcess,
  output: OutputBuffer,
  { maxOutputBytes, onOutput }: CommandOptions,
): Promise<"flooded"> {
  return new Promise((resolve) => {
    for (const stream of streamsOf(child)) {
      stream.on("error", () => undefined); // a pipe that breaks has ended
      stream.on("data", (chunk: Buffer) => {
        output.add(chunk);
        onOutput(chunk.toString("utf8"));
        if (output.bytes <= maxOutputBytes) return;
        stream.destroy();
        resolve("flooded");
      });
    }
  });
}

/** Ends what is left of the family, then takes what is left in the pipes. */
async function end(
  child: ChildProcess,
  sign: ProcessTreeId,
  { graceMs, sleep }: CommandOptions,
): Promise<readonly string[]> {
  if (child.exitCode === null && child.signalCode === null) signalGroup(sign.leader, "SIGTERM");
  const closed = new AbortController();
  child.once("close", () => closed.abort());
  const leftBehind = await killProcessTree(sign, { graceMs, sleep });
  if (streamsOf(child).some((stream) => !stream.closed)) await sleep(drainMs, closed.signal);
  for (const stream of streamsOf(child)) stream.destroy();
  return leftBehind;
}

/** Of a command that could not be started there are none. */
function streamsOf({ stdout, stderr }: ChildProcess): readonly Readable[] {
  return [stdout, stderr].flatMap((stream) => stream ?? []);
}
