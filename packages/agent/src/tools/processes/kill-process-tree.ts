import { type ProcessTreeId, processTreeOf, signalAll, signalGroup } from "./process-tree.ts";

export interface KillOptions {
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  /** Ends early when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

const pollMs = 15;
const maxKillRounds = 200;
const neverAborted = new AbortController().signal;

/** Terminates a process tree, with SIGKILL after the grace period. Returns the names of the processes it found. */
export async function killProcessTree(id: ProcessTreeId, options: KillOptions): Promise<readonly string[]> {
  const processes = processTreeOf(id);
  const names = processes.map(({ name }) => name);
  if (processes.length === 0) return names;
  signalAll(processes, "SIGTERM");
  if (await isGoneWithinGrace(id, options)) return names;
  // Several rounds: a process may fork between the listing and the kill.
  for (let round = 0; round < maxKillRounds; round++) {
    const remaining = processTreeOf(id);
    if (remaining.length === 0) break;
    signalGroup(id.leader, "SIGKILL");
    signalAll(remaining, "SIGKILL");
    await options.sleep(pollMs, neverAborted);
  }
  return names;
}

/** Measures the grace period by the clock: with many processes a single poll can take long. */
async function isGoneWithinGrace(id: ProcessTreeId, { graceMs, sleep }: KillOptions): Promise<boolean> {
  const gone = new AbortController();
  let isGraceOver = false;
  const grace = sleep(graceMs, gone.signal).then(() => {
    isGraceOver = true;
  });
  let isGone = false;
  while (!isGraceOver && !isGone) {
    await sleep(pollMs, neverAborted);
    isGone = processTreeOf(id).length === 0;
  }
  gone.abort();
  await grace;
  return isGone;
}
