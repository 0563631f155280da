import type { SpawnAllowance } from "../../policy/policy.ts";
import type { Watcher } from "./detector.ts";

/**
 * Subagents beyond the policy: too deep, too many in a run, too many in a minute. Each of them is refused.
 * Counts the subagents that are too many, plus the earlier turns with refusals.
 */
export const spawn: Watcher<"spawn", "child-start"> = {
  name: "spawn",
  reason: "spawn_limit",
  on: "child-start",
  notice({ subagentTotals: { started, starts }, clock }, { id }, policy) {
    const { depth, perRun, perMinute } = policy.spawn;
    const tooDeep = starts.length - 1 - starts.findLastIndex(([, startDepth]) => startDepth <= depth);
    const tooMany = started - perRun;
    const tooFast = starts.filter(([atMs]) => clock.elapsedMs - atMs < 60_000).length - perMinute;
    const count = Math.max(tooDeep, tooMany, tooFast);
    if (count <= 0) return undefined;
    const subject = reasonText(policy.spawn, { isTooDeep: tooDeep > 0, areTooMany: tooMany > 0 });
    return { cause: "", count, advice: "no-subagent", subject, pendingIds: [id] };
  },
};

function reasonText(
  { depth, perRun, perMinute }: SpawnAllowance,
  { isTooDeep, areTooMany }: { readonly isTooDeep: boolean; readonly areTooMany: boolean },
): string {
  if (isTooDeep) return `it would be more than ${depth} levels below the run`;
  if (areTooMany) return `${perRun} were started in this run, and no more are allowed`;
  return `${perMinute} were started within a minute, and no more are allowed`;
}
