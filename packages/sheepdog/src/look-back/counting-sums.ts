import type { CountingNotes } from "@sheepdog/records";
import type { LookBackRun } from "./look-back-run.ts";

/** What the readers left out of the sums of all runs, by kind. */
export function countingSums(runs: readonly Pick<LookBackRun, "counting">[]): Required<CountingNotes> {
  const sums = { repeatedUsage: 0, copiedRequests: 0, rewoundMessages: 0, syntheticReplies: 0, withoutUsage: 0 };
  for (const { counting } of runs)
    for (const kind of Object.keys(sums) as readonly (keyof typeof sums)[]) // its own keys
      sums[kind] += counting[kind] ?? 0;
  return sums;
}
