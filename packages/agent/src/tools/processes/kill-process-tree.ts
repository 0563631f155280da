import type { RunningProcess } from "./process-table.ts";
import { type ProcessTreeId, processTreeOf, signalAll, signalGroup } from "./process-tree.ts";

export interface KillOptions {
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  /** Ends early when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The leader is a sandbox, which ends with the command and kills everything when it is terminated. */
  readonly sparesLeader?: boolean;
}

const pollMs = 15;
const maxKillRounds = 200;
const neverAborted = new AbortController().signal;

/**
 * Terminates a process tree, with SIGKILL after the grace period. The tree is listed before the first signal: a process
 * whose parent ends is no longer found by its parent. Returns the names of the processes it found.
 */
export async function killProcessTree(id: ProcessTreeId, options: KillOptions): Promise<readonly string[]> {
  const first = processTreeOf(id);
  const names = first.map(({ name }) => name);
  if (first.length === 0) return names;
  if (options.sparesLeader !== true) signalGroup(id.leader, "SIGTERM");
  signalAll(options.sparesLeader === true ? first.filter(({ pid }) => pid !== id.leader) : first, "SIGTERM");
  let known = await knownAfterGrace(id, first, options);
  // Several rounds: a process may fork between the listing and the kill.
  for (let round = 0; round < maxKillRounds && known.length > 0; round++) {
    signalGroup(id.leader, "SIGKILL");
    signalAll(known, "SIGKILL");
    await options.sleep(pollMs, neverAborted);
    known = processTreeOf(id, known);
  }
  return names;
}

/**
 * Waits until the tree is gone or the grace period is over; returns what is left. Measures the period by the clock:
 * with many processes a single poll can take long.
 */
async function knownAfterGrace(
  id: ProcessTreeId,
  first: readonly RunningProcess[],
  { graceMs, sleep }: KillOptions,
): Promise<readonly RunningProcess[]> {
  const gone = new AbortController();
  let isGraceOver = false;
  const grace = sleep(graceMs, gone.signal).then(() => {
    isGraceOver = true;
  });
  let known = first;
  while (!isGraceOver && known.length > 0) {
    await sleep(pollMs, neverAborted);
    known = processTreeOf(id, known);
  }
  gone.abort();
  await grace;
  return known;
}
