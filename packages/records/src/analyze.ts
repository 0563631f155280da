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
import { runNanoUsd, toUsd, unpricedTokens } from "./costs.ts";
import type { ReportedIntervention, RunReport } from "./report.ts";
import type { RecordedRun } from "./run.ts";
import { sha256 } from "./sha256.ts";
import { signalsOf } from "./signals.ts";
import { collectRepeats, stuckStretch } from "./stuck.ts";
import { withoutUnrecordedLimits } from "./untold-limits.ts";

/** The guardian's look back over a recorded run: what it would have said, and where. */
export function analyze(run: RecordedRun, policy: Policy): RunReport {
  const watching: Policy = { ...withoutUnrecordedLimits(policy), mode: "observe" }; // the recording went on whatever the guardian thinks of it
  const spoken = spokenLevel(policy);
  const words: Words = (finding, level, facts) => plainWords(finding, spoken(level), facts);
  const interventions: ReportedIntervention[] = [];
  const repeats = collectRepeats();
  let state = initialState(sha256.name);
  let call = -1; // the last that is finished
  for (const told of signalsOf(run, policy)) {
    const taken = step(watching, state, told.signal, words);
    state = goingOn(taken.state);
    if (told.signal.type === "result") {
      call++;
      repeats.noteFindings(state);
    }
    for (const each of taken.interventions)
      if (!hasEnded(interventions, each))
        interventions.push(reported(each, { call, turn: told.step.turn, level: spoken(each.level) }));
    if (told.signal.type === "turn-end") repeats.endTurn(state);
  }
  const nanoUsd = runNanoUsd(run.steps);
  return {
    id: run.id,
    source: run.source ?? null,
    model: run.model ?? null,
    calls: run.steps.reduce((calls, each) => calls + each.calls.length, 0),
    turns: run.steps.length,
    costUsd: nanoUsd === null ? null : toUsd(nanoUsd),
    unpricedTokens: unpricedTokens(run.steps),
    interventions,
    stuck: stuckStretch(run.steps, repeats.calls),
  };
}

/** Where calls are never denied, the level that would deny them speaks as a second warning. */
function spokenLevel(policy: Policy): (level: Level) => Level {
  return (level) => (policy.mode === "advise" && level === "block" ? "warn" : level);
}

/** A limit ends a run in every mode; a recording has no end but its own. */
function goingOn(state: GuardianState): GuardianState {
  if (state.stopped === undefined) return state;
  const { stopped: _, ...going } = state;
  return going;
}

/** A limit ends a run once. A person who speaks after that begins nothing new in a recording, which never was ended. */
function hasEnded(before: readonly ReportedIntervention[], { detector, level }: Intervention): boolean {
  return (
    level === "halt" &&
    limitNames.some((name) => name === detector) &&
    before.some((each) => each.detector === detector && each.level === "halt")
  );
}

function reported(
  { detector, message, evidence }: Intervention,
  { call, turn, level }: Pick<ReportedIntervention, "call" | "turn" | "level">,
): ReportedIntervention {
  return { call, turn, detector, level, message, evidence };
}
