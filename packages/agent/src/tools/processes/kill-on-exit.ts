import { createOrphanReaper } from "./orphan-reaper.ts";
import { createTreeSearch, type ProcessTreeId, signalAll, signalGroup } from "./process-tree.ts";

const tracked = new Set<ProcessTreeId>();
const reaper = createOrphanReaper(tracked);
let hasExitListener = false;

/** A process that is being forked during one round is found in the next. The reaper continues after this process. */
const maxRounds = 5;

/** Kills a process tree when this process dies, even by SIGKILL. Returns a function that stops tracking it. */
export function killOnExit(id: ProcessTreeId): () => void {
  if (!hasExitListener) process.on("exit", killTracked);
  hasExitListener = true;
  tracked.add(id);
  reaper.track(id);
  return () => {
    tracked.delete(id);
    reaper.untrack(id);
  };
}

/** Handles every exit but a kill by signal, which the reaper handles. */
function killTracked(): void {
  for (const id of tracked) {
    const findTree = createTreeSearch(id);
    let tree = findTree();
    for (let round = 0; round < maxRounds && tree.length > 0; round++) {
      signalGroup(id.leader, "SIGKILL");
      signalAll(tree, "SIGKILL");
      tree = findTree();
    }
  }
}
