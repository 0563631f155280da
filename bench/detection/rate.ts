import type { Level } from "../../packages/guardian/dist/index.js";

/** How often the guardian intervenes in a group of runs, for each 1,000 calls. A halt is the last in its run. */
export interface Rate {
  readonly group: string;
  readonly runs: number;
  readonly calls: number;
  /** null when there are no calls. */
  readonly per1000Calls: Readonly<Record<Level, number>> | null;
}

export function rateOf(
  group: string,
  runs: readonly { readonly calls: number; readonly reactions: readonly { readonly level: Level }[] }[],
): Rate {
  const calls = runs.reduce((sum, run) => sum + run.calls, 0);
  const per1000 = (level: Level) => {
    const count = runs.reduce((sum, run) => sum + run.reactions.filter((each) => each.level === level).length, 0);
    return (1_000 * count) / calls;
  };
  const per1000Calls =
    calls === 0
      ? null
      : { hint: per1000("hint"), warn: per1000("warn"), block: per1000("block"), halt: per1000("halt") };
  return { group, runs: runs.length, calls, per1000Calls };
}
