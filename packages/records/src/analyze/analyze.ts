import {
  type GuardianState,
  type Intervention,
  initialState,
  type Level,
  limitNames,
  type Policy,
  plainWords,
  step,
  type Words,
} from "@sheepdog/guardian";
import { sha256 } from "../platform/sha256.ts";
import type { RecordedRun } from "../trajectory/recorded-run.ts";
import { runNanoUsd, toUsd, unpricedTokens } from "./recorded-costs.ts";
import type { ReportedIntervention, RunReport } from "./report.ts";
import { signalsOf } from "./signals.ts";
import { collectRepeats, stuckStretch } from "./stuck-stretch.ts";
import { withoutUnrecordedLimits } from "./unrecorded-limits.ts";

/** Runs the guardian over a recorded run and reports where it would have intervened and with which message. */
export function analyze(run: RecordedRun, policy: Policy): RunReport {
  const observing: Policy = { ...withoutUnrecordedLimits(policy), mode: "observe" }; // a recording cannot be stopped
  const words: Words = (finding, level, facts) => plainWords(finding, reportedLevel(policy, level), facts);
  const interventions: ReportedIntervention[] = [];
  const repeats = collectRepeats();
  let state = initialState(sha256.name);
  let lastFinishedCall = -1;
  for (const { signal, step: recordedStep } of signalsOf(run, policy)) {
    const result = step(observing, state, signal, words);
    state = withoutStop(result.state);
    if (signal.type === "result") {
      lastFinishedCall++;
      repeats.addFindings(state);
    }
    for (const intervention of result.interventions) {
      if (isRepeatedLimitHalt(intervention, interventions)) continue;
      const { detector, message, evidence } = intervention;
      const level = reportedLevel(policy, intervention.level);
      interventions.push({ call: lastFinishedCall, turn: recordedStep.turn, detector, level, message, evidence });
    }
    if (signal.type === "turn-end") repeats.endTurn(state);
  }
  const nanoUsd = runNanoUsd(run.steps);
  return {
    id: run.id,
    source: run.source ?? null,
    model: run.model ?? null,
    calls: run.steps.reduce((sum, { calls }) => sum + calls.length, 0),
    turns: run.steps.length,
    costUsd: nanoUsd === null ? null : toUsd(nanoUsd),
    unpricedTokens: unpricedTokens(run.steps),
    interventions,
    stuck: stuckStretch(run.steps, repeats.calls),
  };
}

/** In mode `advise` calls are never denied: the level that would deny them is a second warning. */
function reportedLevel(policy: Policy, level: Level): Level {
  return policy.mode === "advise" && level === "block" ? "warn" : level;
}

/** A limit stops a run in every mode, but the recording continues. */
function withoutStop(state: GuardianState): GuardianState {
  if (state.stopped === undefined) return state;
  const { stopped: _, ...running } = state;
  return running;
}

/** A limit is reported once per run, although each message of a person resets it in the guardian. */
function isRepeatedLimitHalt(
  { detector, level }: Intervention,
  earlierInterventions: readonly ReportedIntervention[],
): boolean {
  return (
    level === "halt" &&
    limitNames.some((name) => name === detector) &&
    earlierInterventions.some((earlier) => earlier.detector === detector && earlier.level === "halt")
  );
}
