import { bounds } from "./bounds.ts";
import { openCall } from "./calls.ts";
import type { Draft } from "./draft.ts";
import { adviceFor } from "./judge/advice.ts";
import { closestName } from "./judge/closest-name.ts";
import type { Detector, Seen } from "./judge/detectors/detector.ts";
import { detectors, seedDetectors } from "./judge/detectors/index.ts";
import { type Finding, findingOf, noted } from "./judge/finding.ts";
import { recoverByCall } from "./judge/recover.ts";
import { isChange, look, type Sight, type Unseen } from "./judge/sight.ts";
import { withTrace } from "./judge/with-trace.ts";
import { type OutcomePrint, withoutExcerpt } from "./perceive/print.ts";
import type { DetectorName, Policy } from "./policy.ts";
import type { Observation, OpenCall, Trace } from "./remembered-calls.ts";
import type { SignalOf } from "./signal.ts";
import type { GuardianState } from "./state.ts";
import { type Said, silent } from "./step-result.ts";
import { alive } from "./time.ts";

/** A call has ended: it is compared with those before it, judged, and remembered. What was found is told at the end of the turn. */
export function onResult(policy: Policy, state: Draft, { id, outcome }: SignalOf<"result">): Said {
  const call = openCall(state, id);
  if (call === undefined) return silent; // of a call that was refused or never made, or told twice
  state.open = state.open.filter((each) => each !== call);
  alive(state);
  const sight = look(state, observation(state, call, outcome));
  judge(policy, state, sight, outcome.excerpt);
  remember(state, sight);
  const recovered = recoverByCall(state, sight.newest);
  if (isChange(sight.newest)) state.epoch++;
  return recovered.length === 0 ? silent : { ...silent, recovered };
}

function observation(state: GuardianState, call: OpenCall, outcome: OutcomePrint): Unseen {
  return {
    index: call.index,
    turn: state.turn,
    personTurn: state.personTurn,
    schedule: state.schedule,
    compaction: state.compaction,
    epoch: state.epoch,
    atMs: call.atMs,
    ms: state.clock.elapsedMs - call.atMs,
    costNanoUsd: state.limits["run-cost"]?.used,
    tool: call.tool,
    kind: call.kind,
    call: call.call,
    outcome: withoutExcerpt(outcome),
    likeness: 0,
    redundancy: 0,
  };
}

const looking: readonly Detector<DetectorName>[] = [...detectors, ...seedDetectors];

/** Asks every detector. One that throws is switched off and named; the others go on. */
function judge(policy: Policy, state: Draft, sight: Sight, excerpt: string | undefined): void {
  for (const detector of looking) {
    const rungs = policy.detectors[detector.name];
    if (rungs === undefined || state.broken.includes(detector.name)) continue;
    let found: Finding | undefined;
    try {
      const seen = detector.detect(sight, rungs);
      if (seen !== undefined && seen.count >= 2) found = finding(detector.name, seen, sight, state, excerpt);
    } catch {
      state.broken = [...state.broken, detector.name]; // becomes a value: the detector is off from here on, and the caller is told
    }
    if (found !== undefined) state.findings = noted(state.findings, found);
  }
}

function finding(
  detector: DetectorName,
  seen: Seen,
  { newest }: Sight,
  state: GuardianState,
  excerpt: string | undefined,
): Finding {
  const advice = adviceFor(detector, newest);
  const closest = advice === "unknown-tool" ? closestName(newest.tool, Object.keys(state.tools)) : undefined;
  return findingOf(detector, {
    prints: [newest.call.exact, newest.call.loose],
    ...seen,
    evidence: seen.evidence.slice(-bounds.evidence),
    tool: newest.tool,
    words: newest.call.words,
    advice,
    excerpt,
    closest,
  });
}

/** The ring: the newest calls in full, those before as traces. */
function remember(state: Draft, { history }: Sight): void {
  while (history.length > bounds.history) state.past = withTrace(state.past, traceOf(history.shift() as Observation)); // there is one, by the loop
  state.history = history;
}

function traceOf(each: Observation): Trace {
  return [
    each.index,
    each.turn,
    each.personTurn,
    each.schedule,
    each.epoch,
    each.kind,
    each.call.exact,
    each.outcome.masked,
    each.isSettled ? 1 : 0,
  ];
}
