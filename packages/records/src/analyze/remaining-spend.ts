import type { RecordedRun } from "../trajectory/recorded-run.ts";
import { runNanoUsd, toUsd } from "./recorded-costs.ts";
import type { ReportedIntervention } from "./report.ts";

/** The calls, turns and cost of a recorded run after an intervention. */
export interface RemainingSpend {
  readonly calls: number;
  readonly turns: number;
  /** null when no cost is recorded. */
  readonly costUsd: number | null;
}

/**
 * Counts the calls after the last finished call and the turns after the turn of the intervention, which was paid for.
 * What the run would have done after the intervention is unknown.
 */
export function remainingSpend(
  run: RecordedRun,
  intervention: Pick<ReportedIntervention, "call" | "turn">,
): RemainingSpend {
  const { steps } = run;
  const { call, turn } = intervention;
  let calls = 0;
  let firstRemaining = steps.length;
  for (const [index, step] of steps.entries()) {
    calls += step.calls.length;
    if (firstRemaining === steps.length && step.turn === turn && calls > call) firstRemaining = index + 1;
  }
  const remainingSteps = steps.slice(firstRemaining);
  const nanoUsd = runNanoUsd(remainingSteps);
  return {
    calls: calls - call - 1,
    turns: remainingSteps.length,
    costUsd: nanoUsd === null ? null : toUsd(nanoUsd),
  };
}
