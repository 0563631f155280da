import { type ProcessTreeId, processTreeOf, signalAll, signalGroup } from "./process-tree.ts";

export interface KillOptions {
  /** How long processes may take to end by themselves once they are asked to. */
  readonly graceMs: number;
  /** Ends early when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

const pollMs = 15;
const mostKills = 200;
const never = new AbortController().signal;

/** Ends a command's processes: asks them to, and kills those that do not listen. Gives the names of those that ran when it was called. */
export async function killProcessTree(
  sign: ProcessTreeId,
  { graceMs, sleep }: KillOptions,
): Promise<readonly string[]> {
  const found = processTreeOf(sign);
  if (found.length === 0) return [];
  signalAll(found, "SIGTERM");
  if (await isGoneWithin(sign, { graceMs, sleep })) return found.map(({ name }) => name);
  // Again and again: what forks faster than it is looked at loses its parents one by one.
  for (let kills = 0; kills < mostKills; kills++) {
    const left = processTreeOf(sign);
    if (left.length === 0) break;
    signalGroup(sign.leader, "SIGKILL");
    signalAll(left, "SIGKILL");
    await sleep(pollMs, never);
  }
  return found.map(({ name }) => name);
}

/** Looking takes its time, too, where many processes run: the grace is measured, not counted in looks. */
async function isGoneWithin(sign: ProcessTreeId, { graceMs, sleep }: KillOptions): Promise<boolean> {
  const known = new AbortController();
  let isOver = false;
  const grace = sleep(graceMs, known.signal).then(() => {
    isOver = true;
  });
  let isGone = false;
  while (!isOver && !isGone) {
    await sleep(pollMs, never);
    isGone = processTreeOf(sign).length === 0;
  }
  known.abort();
  await grace;
  return isGone;
}
