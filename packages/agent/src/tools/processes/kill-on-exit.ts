import { createLastWill } from "./orphan-reaper.ts";
import { type FamilySign, familyOf, signalAll, signalGroup } from "./process-tree.ts";

const live = new Set<FamilySign>();
const lastWill = createLastWill(live);
let isWatching = false;

/** Sees to it that these processes do not outlive this one. The returned function ends that. */
export function endWithUs(sign: FamilySign): () => void {
  if (!isWatching) process.on("exit", killLive);
  isWatching = true;
  live.add(sign);
  lastWill.begun(sign);
  return () => {
    live.delete(sign);
    lastWill.ended(sign);
  };
}

/** At an exit that this process knows of. */
function killLive(): void {
  for (const sign of live) {
    signalGroup(sign.leader, "SIGKILL");
    signalAll(familyOf(sign), "SIGKILL");
  }
}
