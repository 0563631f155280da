import type { Watcher } from "./detector.ts";

/** Subagents beyond what the policy allows: too deep, too many in a run, too many in a minute. Each of them is refused; counts by how many, plus the turns before in which some were refused. */
export const spawn: Watcher<"spawn", "child-start"> = {
  name: "spawn",
  rungs: { block: 1, halt: 5 },
  reason: "spawn_limit",
  on: "child-start",
  notice({ subagentTotals, clock }, { id }, { spawn: { depth, perRun, perMinute } }) {
    const tooDeep =
      subagentTotals.starts.length - 1 - subagentTotals.starts.findLastIndex((start) => start[1] <= depth);
    const tooMany = subagentTotals.started - perRun;
    const tooFast = subagentTotals.starts.filter(([atMs]) => clock.elapsedMs - atMs < 60_000).length - perMinute;
    const count = Math.max(tooDeep, tooMany, tooFast);
    if (count <= 0) return undefined;
    const subject =
      tooDeep > 0
        ? `it would be more than ${depth} levels below the run`
        : tooMany > 0
          ? `${perRun} were started in this run, and no more are allowed`
          : `${perMinute} were started within a minute, and no more are allowed`;
    return { cause: "", count, advice: "no-subagent", subject, pending: [id] };
  },
};
