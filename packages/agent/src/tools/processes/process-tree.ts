import { type RunningProcess, runningProcesses } from "./process-table.ts";

/**
 * Identifies the processes that a command started: `leader` is the process group, `mark` stands in the environment of
 * each process that has not cleared its environment.
 */
export interface ProcessTreeId {
  readonly leader: number;
  readonly mark: string;
}

/** The environment variable with the marks: the command's own, after those of the agents that started this one. */
export const markVariable = "SHEEPDOG_CALL";

/** The running processes of a tree, also those that left their group, their session or their parent. */
export function processTreeOf(
  id: ProcessTreeId,
  all: readonly RunningProcess[] = runningProcesses(),
): readonly RunningProcess[] {
  const candidates = all.filter(({ pid }) => pid !== process.pid && pid > 1);
  const tree = new Map(candidates.filter((each) => isMarked(each, id)).map((each) => [each.pid, each]));
  for (let previousSize = -1; previousSize !== tree.size; ) {
    previousSize = tree.size;
    for (const each of candidates)
      if (tree.has(each.parent) || (each.session > 1 && tree.has(each.session))) tree.set(each.pid, each);
  }
  return [...tree.values()];
}

function isMarked(each: RunningProcess, { leader, mark }: ProcessTreeId): boolean {
  return each.pid === leader || each.group === leader || each.session === leader || each.environment.includes(mark);
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
