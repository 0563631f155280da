import { type RunningProcess, runningProcesses } from "./process-table.ts";

/** Whom a command's processes are known by: its first process leads the group; the mark is in the environment of all that did not clear theirs. */
export interface ProcessTreeId {
  readonly leader: number;
  readonly mark: string;
}

/** The variable that carries the marks, one for each agent above. */
export const markVariable = "SHEEPDOG_CALL";

/** The processes that a command started and that still run, also those that left its group, its session or their parent. */
export function processTreeOf(
  { leader, mark }: ProcessTreeId,
  all: readonly RunningProcess[] = runningProcesses(),
): readonly RunningProcess[] {
  const others = all.filter(({ pid }) => pid !== process.pid && pid > 1);
  const family = new Map(others.filter((each) => isMarked(each, { leader, mark })).map((each) => [each.pid, each]));
  for (let before = -1; before !== family.size; ) {
    before = family.size;
    for (const each of others)
      if (family.has(each.parent) || (each.session > 1 && family.has(each.session))) family.set(each.pid, each);
  }
  return [...family.values()];
}

function isMarked(each: RunningProcess, { leader, mark }: ProcessTreeId): boolean {
  return each.pid === leader || each.group === leader || each.session === leader || each.environment.includes(mark);
}

/** Sends a signal to each; one that is gone already has what it should have. */
export function signalAll(family: readonly RunningProcess[], signal: NodeJS.Signals): void {
  for (const { pid } of family) {
    try {
      process.kill(pid, signal);
    } catch {
      // it ended meanwhile, or belongs to another user
    }
  }
}

/** Sends a signal to a whole group, which nothing can be forked out of meanwhile. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // the group is empty
  }
}
