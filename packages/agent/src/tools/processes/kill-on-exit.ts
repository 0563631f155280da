import { createOrphanReaper } from "./orphan-reaper.ts";
import { type ProcessTreeId, processTreeOf, signalAll, signalGroup } from "./process-tree.ts";

const live = new Set<ProcessTreeId>();
const lastWill = createOrphanReaper(live);
let isWatching = false;

/** Sees to it that these processes do not outlive this one. The returned function ends that. */
export function killOnExit(sign: ProcessTreeId): () => void {
  if (!isWatching) process.on("exit", killLive);
  isWatching = true;
  live.add(sign);
  lastWill.track(sign);
  return () => {
    live.delete(sign);
    lastWill.untrack(sign);
  };
}

/** At an exit that this process knows of. */
function killLive(): void {
  for (const sign of live) {
    signalGroup(sign.leader, "SIGKILL");
    signalAll(processTreeOf(sign), "SIGKILL");
  }
}
