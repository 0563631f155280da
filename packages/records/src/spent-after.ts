import { stepNanoUsd, toUsd } from "./costs.ts";
import type { RecordedRun } from "./run.ts";

/** What a run still did and paid after one of its calls; whether it would have, had it been told, nobody knows. */
export interface SpentAfter {
  readonly calls: number;
  readonly turns: number;
  /** null where no cost is recorded. */
  readonly costUsd: number | null;
}

/** The turns after the one in which call number `call` was made. */
export function spentAfter(run: RecordedRun, call: number): SpentAfter {
  let made = 0;
  let calls = 0;
  let turns = 0;
  let nanoUsd: number | null = null;
  for (const step of run.steps) {
    if (made > call) {
      calls += step.calls.length;
      turns++;
      const cost = stepNanoUsd(step);
      if (cost !== undefined) nanoUsd = (nanoUsd ?? 0) + cost;
    }
    made += step.calls.length;
  }
  return { calls, turns, costUsd: nanoUsd === null ? null : toUsd(nanoUsd) };
}
