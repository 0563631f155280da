import type { Watcher } from "./detector.ts";

/** Sub-agents beyond what the policy allows: too deep, too many in a run, too many in a minute. Each of them is refused; counts attempts. */
export const spawn: Watcher<"spawn", "child-start"> = {
  name: "spawn",
  rungs: { block: 1, halt: 5 },
  reason: "spawn_limit",
  on: "child-start",
  notice({ brood, clock }, { id, depth }, { spawn: { depth: deepest, perRun, perMinute } }) {
    const lastMinute = brood.startedAtMs.filter((atMs) => clock.elapsedMs - atMs < 60_000).length;
    const subject =
      depth > deepest
        ? `it would be ${depth} levels below the run, and ${deepest} are allowed`
        : brood.started > perRun
          ? `${perRun} were started in this run, and no more are allowed`
          : lastMinute > perMinute
            ? `${perMinute} were started within a minute, and no more are allowed`
            : undefined;
    return subject === undefined ? undefined : { cause: "", count: 1, advice: "no-sub-agent", subject, pending: [id] };
  },
};
