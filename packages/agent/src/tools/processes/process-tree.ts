import { type RunningProcess, runningProcesses } from "./process-table.ts";
import type { TreeMark } from "./tree-mark.ts";

/** Identifies the processes that a command started: `leader` is the process group. */
export interface ProcessTreeId {
  readonly leader: number;
  readonly mark: TreeMark;
}

/**
 * The running processes of a tree, also those that left their group, their session, their parent and their environment.
 * `known` are processes of the tree that were found earlier: what they have started since then belongs to the tree too.
 */
export function processTreeOf(id: ProcessTreeId, known: readonly RunningProcess[] = []): readonly RunningProcess[] {
  const candidates = runningProcesses().filter(({ pid }) => pid !== process.pid && pid > 1);
  const isKnown = (each: RunningProcess) =>
    known.some(({ pid, startedAt }) => pid === each.pid && startedAt === each.startedAt && startedAt !== "");
  const roots = candidates.filter((each) => isKnown(each) || isMarked(each, id));
  const tree = new Map(roots.map((each) => [each.pid, each]));
  for (let previousSize = -1; previousSize !== tree.size; ) {
    previousSize = tree.size;
    for (const each of candidates)
      if (tree.has(each.parent) || (each.session > 1 && tree.has(each.session))) tree.set(each.pid, each);
  }
  return [...tree.values()];
}

function isMarked(each: RunningProcess, { leader, mark }: ProcessTreeId): boolean {
  const isInGroup = each.pid === leader || each.group === leader || each.session === leader;
  return isInGroup || each.environment.includes(mark.text) || each.limits.includes(` ${mark.lockLimit} `);
}

/** Sends a signal to each process; processes that have ended are ignored. */
export function signalAll(processes: readonly RunningProcess[], signal: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal);
    } catch {
      // it has ended, or belongs to another user
    }
  }
}

/** Sends a signal to a process group, which reaches children forked at the same moment too. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // the group is empty
  }
}
