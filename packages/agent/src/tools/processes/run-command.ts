import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { killOnExit } from "./kill-on-exit.ts";
import { killProcessTree } from "./kill-process-tree.ts";
import { createOutputBuffer, type OutputBuffer } from "./output-buffer.ts";
import { type ProcessTreeId, signalGroup } from "./process-tree.ts";
import { markVariable, type TreeMark } from "./tree-mark.ts";

/** How a command ended, and its output. */
export type CommandEnd =
  | {
      readonly type: "exited";
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
      readonly output: string;
      /** Names of processes that still ran when the command ended; they were killed. */
      readonly leftBehind: readonly string[];
      /** The stderr of a sandbox. */
      readonly report: string;
    }
  | { readonly type: "timeout" | "flooded"; readonly output: string }
  | {
      readonly type: "aborted";
      readonly output: string;
      /** Resolves when the processes of the command have been killed. */
      readonly killed: Promise<void>;
    }
  | { readonly type: "unspawnable"; readonly error: unknown };

export interface CommandOptions {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  /** A command that writes more is stopped. */
  readonly maxOutputBytes: number;
  readonly signal: AbortSignal;
  /** Ends early, without an error, when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly onOutput: (text: string) => void;
  readonly mark: TreeMark;
  /** The program is a sandbox: its stderr is a report, not output, and SIGTERM goes to the processes inside only. */
  readonly isSandbox: boolean;
}

/** How long to wait for output still in the pipe after the command has ended. */
const drainMs = 200;
const reportLimits = { headBytes: 16 * 1024, tailBytes: 16 * 1024 } as const;
const outputLimits = { headBytes: 64 * 1024, tailBytes: 192 * 1024 } as const;

/**
 * Runs a program in a session of its own, without input and terminal, and kills everything it started when it ends,
 * runs out of time or is aborted. After an abort it returns at once, and the kill continues in the background. It never
 * waits for a pipe that another process holds open.
 */
export async function runCommand(
  [program, ...args]: readonly [string, ...string[]],
  options: CommandOptions,
): Promise<CommandEnd> {
  const { mark } = options;
  const child = spawnMarked(program, args, options);
  if ("type" in child) return child;
  const output = createOutputBuffer(outputLimits);
  const report = options.isSandbox ? createOutputBuffer(reportLimits) : output;
  const tree = child.pid === undefined ? undefined : { leader: child.pid, mark };
  const stopTracking = tree === undefined ? undefined : killOnExit(tree);
  const first = await firstOf(child, { output, report }, options);
  if (typeof first === "object" && "error" in first) return { type: "unspawnable", error: first.error };
  if (tree === undefined)
    return { type: "unspawnable", error: new Error("The system gave the command no process id.") };
  const killed = killRemaining(child, tree, options).finally(stopTracking);
  if (first === "aborted") {
    const ended = killed.then(
      () => undefined,
      () => signalGroup(tree.leader, "SIGKILL"),
    );
    return { type: "aborted", output: output.text(), killed: ended };
  }
  const leftBehind = await killed;
  return typeof first === "string"
    ? { type: first, output: output.text() }
    : { type: "exited", ...first, output: output.text(), leftBehind, report: options.isSandbox ? report.text() : "" };
}

function spawnMarked(
  program: string,
  args: readonly string[],
  { cwd, environment, mark }: Pick<CommandOptions, "cwd" | "environment" | "mark">,
): ChildProcess | Extract<CommandEnd, { type: "unspawnable" }> {
  // Keeps the marks of the agents that started this one: they kill this command too.
  const marks = [process.env[markVariable], mark.text].filter((each) => each !== undefined).join(" ");
  try {
    return spawn(program, args, {
      cwd,
      env: { ...environment, [markVariable]: marks },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      shell: false,
    });
  } catch (error) {
    return { type: "unspawnable", error };
  }
}

type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null } | { readonly error: unknown };

/** What happens first: the command exits, writes too much, is aborted or runs out of time. */
async function firstOf(
  child: ChildProcess,
  buffers: CommandBuffers,
  options: CommandOptions,
): Promise<Exit | "flooded" | "aborted" | "timeout"> {
  const { signal, timeoutMs, sleep } = options;
  const over = new AbortController();
  const aborted = new Promise<"aborted">((resolve) => {
    if (signal.aborted) resolve("aborted");
    signal.addEventListener("abort", () => resolve("aborted"), { once: true, signal: over.signal });
  });
  const timeout = Number.isFinite(timeoutMs)
    ? sleep(timeoutMs, AbortSignal.any([over.signal, signal])).then(() =>
        signal.aborted ? aborted : ("timeout" as const),
      )
    : aborted;
  const first = await Promise.race([exitOf(child), collectOutput(child, buffers, options), aborted, timeout]);
  over.abort();
  return first;
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ error }));
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
}

/** The output, and the buffer for stderr: the same one, unless the program is a sandbox. */
interface CommandBuffers {
  readonly output: OutputBuffer;
  readonly report: OutputBuffer;
}

/** Collects the output; resolves when it is too long. */
function collectOutput(
  child: ChildProcess,
  { output, report }: CommandBuffers,
  { maxOutputBytes, onOutput }: CommandOptions,
): Promise<"flooded"> {
  return new Promise((resolve) => {
    for (const stream of streamsOf(child)) {
      stream.on("error", () => undefined); // a broken pipe is the end of the output
      stream.on("data", (chunk: Buffer) => {
        if (stream === child.stderr && report !== output) {
          report.add(chunk);
          return;
        }
        output.add(chunk);
        onOutput(chunk.toString("utf8"));
        if (output.bytes <= maxOutputBytes) return;
        stream.destroy();
        resolve("flooded");
      });
    }
  });
}

/** Kills the rest of the process tree, then reads what is still in the pipes. */
async function killRemaining(
  child: ChildProcess,
  tree: ProcessTreeId,
  { graceMs, sleep, isSandbox }: CommandOptions,
): Promise<readonly string[]> {
  const closed = new AbortController();
  child.once("close", () => closed.abort());
  const leftBehind = await killProcessTree(tree, { graceMs, sleep, sparesLeader: isSandbox });
  if (streamsOf(child).some((stream) => !stream.closed)) await sleep(drainMs, closed.signal);
  for (const stream of streamsOf(child)) stream.destroy();
  return leftBehind;
}

/** Empty when the command could not be started. */
function streamsOf({ stdout, stderr }: ChildProcess): readonly Readable[] {
  return [stdout, stderr].flatMap((stream) => stream ?? []);
}
