import { readSync, writeSync } from "node:fs";
import { contractOf, type HookOutput } from "@sheepdog/integrations/hooks";
import { resolveHome } from "../home.ts";
import { emptyOutput, type HookRequest, type OldSettings, processHook } from "./process-hook.ts";

/** The longest time a hook waits for other hooks of its session. */
export const LOCK_WAIT_MS = 2_000;

/** Set for what a hook starts, so that an agent in it does not ask for another hook. */
export const guardVariable = "SHEEPDOG_HOOK";

/**
 * `sheepdog hook <agent>`, which the agent starts for each event: reads the event from stdin and prints the answer. It
 * is built into one small file that loads nothing else. What it cannot do goes to the complete program, with the text
 * that was read: the settings have to be made, or the agent has no contract.
 */
export function runHook(args: readonly string[], version: string, startProgram: (stdin: string) => void): void {
  const [agent = "", ...flags] = args;
  const contract = contractOf(agent);
  if (contract === undefined) {
    startProgram("");
    return;
  }
  const isRecursive = Boolean(process.env[guardVariable]);
  const text = isRecursive ? "" : readStdin();
  const isObserving = flags.includes("--observe");
  const output = isRecursive ? emptyOutput(contract) : answer({ contract, text, isObserving }, version);
  if ("missingModels" in output) startProgram(text);
  else print(output);
}

function answer(
  event: Pick<HookRequest, "contract" | "text" | "isObserving">,
  version: string,
): HookOutput | OldSettings {
  const { env } = process;
  try {
    const context = { home: resolveHome(env), version, now: Date.now, waitMs: LOCK_WAIT_MS };
    return processHook({ ...event, env, cwd: process.cwd() }, context);
  } catch {
    return emptyOutput(event.contract); // no home folder, or the current folder was removed
  }
}

const CHUNK_BYTES = 65_536;

/** Everything that the agent wrote. `process.stdin` would take longer to set up than all else that is done here. */
function readStdin(): string {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const size = readChunk(chunk);
    if (size === 0) return Buffer.concat(chunks).toString("utf8");
    chunks.push(chunk.subarray(0, size));
  }
}

/** 0 at the end. A pipe that another process has set to not block is read again after a moment. */
function readChunk(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(0, chunk);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code !== "EAGAIN") return 0;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

/** An agent that no longer reads needs no answer. */
function print({ stdout, stderr = "", exitCode }: HookOutput): void {
  for (const [descriptor, text] of [[1, stdout] as const, [2, stderr] as const]) {
    if (text === "") continue;
    try {
      writeSync(descriptor, text);
    } catch {
      // as above
    }
  }
  process.exitCode = exitCode;
}
