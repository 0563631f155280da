import {
  defaultPolicy,
  initialState,
  type Level,
  type Observation,
  type Policy,
  type Signal,
  step,
} from "../../packages/guardian/dist/index.js";
import { type RecordedRun, sha256, signalsOf } from "../../packages/records/dist/index.js";
import type { Action, Reaction } from "./reaction.ts";

/** The guardian's default policy for a recording, which it cannot stop. */
export const observing: Policy = { ...defaultPolicy, mode: "observe" };

/** An intervention of the guardian as a reaction. */
export interface GuardianReaction extends Reaction {
  readonly detector: string;
  readonly level: Level;
}

/** The signals that the guardian receives for a run, in order. */
export function signalsFor(run: RecordedRun): readonly Signal[] {
  return [...signalsOf(run)].map(({ signal }) => signal);
}

/** The guardian's interventions, in order. Reading only the first takes less time. */
export function* interventions(signals: readonly Signal[], policy: Policy = observing): Generator<GuardianReaction> {
  let state = initialState(sha256.name);
  for (const signal of signals) {
    const next = step(policy, state, signal);
    for (const { call, detector, level } of next.interventions) yield { call, detector, level, action: actions[level] };
    state = next.state;
  }
}

const actions = { hint: "hint", warn: "hint", block: "block", halt: "stop" } as const satisfies Record<Level, Action>;

/** How the guardian perceived one call. */
export interface CallInspection {
  /** The count of each detector. */
  readonly counts: ReadonlyMap<string, number>;
  readonly observation: Observation | undefined;
  /** The interventions at the end of its turn, if it is the last call of the turn. */
  readonly interventions: readonly string[];
}

/** How the guardian perceived each call of a run. */
export function inspectCalls(signals: readonly Signal[], policy: Policy = observing): readonly CallInspection[] {
  const inspections: CallInspection[] = [];
  let state = initialState(sha256.name);
  for (const signal of signals) {
    const next = step(policy, state, signal);
    const observation = next.state.history.at(-1);
    if (signal.type === "result" && observation !== undefined) {
      const findings = next.state.findings.filter((finding) => finding.evidence.at(-1) === observation.index);
      const counts = new Map(findings.map(({ detector, count }) => [detector, count]));
      inspections.push({ counts, observation, interventions: [] });
    }
    const last = inspections.at(-1);
    if (next.interventions.length > 0 && last !== undefined) {
      const interventions = next.interventions.map(({ level, detector }) => `${level} ${detector}`);
      inspections[inspections.length - 1] = { ...last, interventions };
    }
    state = next.state;
  }
  return inspections;
}
