import { stepNanoUsd, toUsd } from "./costs.ts";
import type { ReportedIntervention } from "./report.ts";
import type { RecordedRun } from "./run.ts";

/** What a run still did and paid after an intervention; whether it would have, had it been told, nobody knows. */
export interface RemainingSpend {
  readonly calls: number;
  readonly turns: number;
  /** null where no cost is recorded. */
  readonly costUsd: number | null;
}

/** The calls after the last finished one, and the turns after the one in which it was decided: that one was paid for. */
export function remainingSpend(
  run: RecordedRun,
  { call, turn }: Pick<ReportedIntervention, "call" | "turn">,
): RemainingSpend {
  let made = 0;
  let isAfter = false;
  let turns = 0;
  let nanoUsd: number | null = null;
  for (const step of run.steps) {
    made += step.calls.length;
    if (isAfter) {
      turns++;
      const cost = stepNanoUsd(step);
      if (cost !== undefined) nanoUsd = (nanoUsd ?? 0) + cost;
    }
    isAfter ||= step.turn === turn && made > call;
  }
  return { calls: made - call - 1, turns, costUsd: nanoUsd === null ? null : toUsd(nanoUsd) };
}
