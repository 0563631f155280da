import type { RunningProcess } from "./process-table.ts";
import { createTreeSearch, type ProcessTreeId, signalAll, signalGroup } from "./process-tree.ts";

export interface KillOptions {
  /** Time between SIGTERM and SIGKILL. */
  readonly graceMs: number;
  /** Ends early when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The leader is a sandbox, which ends with the command and kills everything when it is terminated. */
  readonly sparesLeader?: boolean;
}

/** Each look at the processes of the machine costs time, so the waits become longer. */
const pollsMs = [15, 15, 30, 60] as const;
const longestPollMs = 100;
const maxKillRounds = 50;

/**
 * Terminates a process tree, with SIGKILL after the grace period. The tree is listed before the first signal: a process
 * whose parent ends is no longer found by its parent. Returns the names of the processes it found.
 */
export async function killProcessTree(id: ProcessTreeId, options: KillOptions): Promise<readonly string[]> {
  const findTree = createTreeSearch(id);
  const first = findTree();
  const names = first.map(({ name }) => name);
  if (first.length === 0) return names;
  if (options.sparesLeader !== true) signalGroup(id.leader, "SIGTERM");
  signalAll(options.sparesLeader === true ? first.filter(({ pid }) => pid !== id.leader) : first, "SIGTERM");
  let tree = await treeAfterGrace(first, findTree, options);
  const { signal } = new AbortController();
  // Several rounds: a process may fork between the listing and the kill.
  for (let round = 0; round < maxKillRounds && tree.length > 0; round++) {
    signalGroup(id.leader, "SIGKILL");
    signalAll(tree, "SIGKILL");
    await options.sleep(pollsMs[round] ?? longestPollMs, signal);
    tree = findTree();
  }
  return names;
}

/**
 * Waits until the tree is gone or the grace period is over; returns what is left. Measures the period by the clock:
 * with many processes a single poll can take long.
 */
async function treeAfterGrace(
  first: readonly RunningProcess[],
  findTree: () => readonly RunningProcess[],
  { graceMs, sleep }: KillOptions,
): Promise<readonly RunningProcess[]> {
  const gone = new AbortController();
  const graceOver = new AbortController();
  const grace = sleep(graceMs, gone.signal).then(() => graceOver.abort());
  let tree = first;
  for (let poll = 0; !graceOver.signal.aborted && tree.length > 0; poll++) {
    await sleep(pollsMs[poll] ?? longestPollMs, graceOver.signal);
    tree = findTree();
  }
  gone.abort();
  await grace;
  return tree;
}
