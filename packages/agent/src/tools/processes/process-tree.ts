import { type RunningProcess, runningProcesses } from "./process-table.ts";
import type { TreeMark } from "./tree-mark.ts";

/** Identifies the processes that a command started: `leader` is the process group. */
export interface ProcessTreeId {
  readonly leader: number;
  readonly mark: TreeMark;
}

/**
 * Returns a function that lists the running processes of a tree, also those that left their group, their session, their
 * parent and their environment. It remembers what it found: what these processes start later belongs to the tree too.
 * It also remembers who does not belong to the tree, since reading marks takes longer than anything else here.
 */
export function createTreeSearch(
  id: ProcessTreeId,
  listProcesses: () => readonly RunningProcess[] = runningProcesses,
): () => readonly RunningProcess[] {
  let found = new Set<string>();
  const unmarked = new Set<string>();
  const isRoot = (each: RunningProcess): boolean => {
    const identity = identityOf(each);
    if (identity === undefined) return isMarked(each, id);
    if (found.has(identity) || unmarked.has(identity)) return found.has(identity);
    const isOfTree = isMarked(each, id);
    if (!isOfTree) unmarked.add(identity); // for ever: marks come from the parent, and no other process knows them
    return isOfTree;
  };
  return () => {
    const candidates = listProcesses().filter(({ pid }) => pid !== process.pid && pid > 1);
    const tree = withDescendants(candidates.filter(isRoot), candidates);
    found = new Set(tree.flatMap((each) => identityOf(each) ?? []));
    return tree;
  };
}

/** Undefined where the system does not tell when a process started: its number may be used again. */
function identityOf({ pid, startedAt }: RunningProcess): string | undefined {
  return startedAt === "" ? undefined : `${pid} ${startedAt}`;
}

function withDescendants(
  roots: readonly RunningProcess[],
  candidates: readonly RunningProcess[],
): readonly RunningProcess[] {
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
