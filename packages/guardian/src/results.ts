import { bounds, short } from "./bounds.ts";
import { adviceFor } from "./judge/advice.ts";
import { closestName } from "./judge/closest-name.ts";
import type { Detector, Seen } from "./judge/detectors/detector.ts";
import { detectors, seedDetectors } from "./judge/detectors/index.ts";
import { type Finding, noted } from "./judge/finding.ts";
import { recoverByCall } from "./judge/recover.ts";
import { isChange, look, type Sight } from "./judge/sight.ts";
import { known } from "./known.ts";
import type { DetectorName, Policy } from "./policy.ts";
import type { Observation, OpenCall, Trace } from "./remembered-calls.ts";
import type { SignalOf } from "./signal.ts";
import type { GuardianState } from "./state.ts";
import { quiet, type Step } from "./step-result.ts";
import { alive } from "./time.ts";

/** A call has ended: it is compared with those before it, judged, and remembered. What was found is told at the end of the turn. */
export function onResult(policy: Policy, state: GuardianState, signal: SignalOf<"result">): Step {
  const call = state.open.find((each) => each.id === short(signal.id, bounds.id));
  if (call === undefined) return quiet(state); // of a call that was refused or never made, or told twice
  const waiting = { ...state, open: state.open.filter((each) => each !== call), clock: alive(state.clock) };
  // A rest would give each outcome a shape of its own, and V8 would compare them slowly.
  const outcome = known({ ...signal.outcome, excerpt: undefined }) as Observation["outcome"]; // all else is there
  const sight = look(waiting, observation(waiting, call, outcome));
  const remembered = remember(judge(policy, waiting, sight, signal.outcome.excerpt), sight.newest);
  const { state: after, recovered } = recoverByCall(remembered, sight.newest);
  return { state: isChange(sight.newest) ? { ...after, epoch: after.epoch + 1 } : after, interventions: [], recovered };
}

function observation(state: GuardianState, call: OpenCall, outcome: Observation["outcome"]): Observation {
  return {
    index: call.index,
    turn: state.turn,
    personTurn: state.personTurn,
    schedule: state.schedule,
    compaction: state.compaction,
    epoch: state.epoch,
    atMs: call.atMs,
    ms: state.clock.elapsedMs - call.atMs,
    ...known({ costNanoUsd: state.limits["run-cost"]?.used }),
    tool: call.tool,
    kind: call.kind,
    call: call.call,
    outcome,
    likeness: 0,
    redundancy: 0,
  };
}

const looking: readonly Detector<DetectorName>[] = [...detectors, ...seedDetectors];

/** Asks every detector. One that throws is switched off and named; the others go on. */
function judge(policy: Policy, state: GuardianState, sight: Sight, excerpt: string | undefined): GuardianState {
  const findings: Finding[] = [];
  const broken: DetectorName[] = [];
  for (const detector of looking) {
    const rungs = policy.detectors[detector.name];
    if (rungs === undefined || state.broken.includes(detector.name)) continue;
    try {
      const seen = detector.detect(sight, rungs);
      if (seen !== undefined && seen.count >= 2) findings.push(finding(detector.name, seen, sight, state, excerpt));
    } catch {
      broken.push(detector.name); // becomes a value: the detector is off from here on, and the caller is told
    }
  }
  if (findings.length === 0 && broken.length === 0) return state;
  return { ...state, found: noted(state.found, findings), broken: [...state.broken, ...broken] };
}

function finding(detector: DetectorName, seen: Seen, { newest }: Sight, state: GuardianState, excerpt: string | undefined): Finding {
  const advice = adviceFor(detector, newest);
  const closest = advice === "unknown-tool" ? closestName(newest.tool, Object.keys(state.tools)) : undefined;
  return {
    prints: [newest.call.exact, newest.call.loose],
    isExact: false,
    ...seen,
    detector,
    cause: `${detector}:${seen.cause}`,
    evidence: seen.evidence.slice(-bounds.evidence),
    tool: newest.tool,
    words: newest.call.words,
    advice,
    ...known({ excerpt, closest }),
  };
}

/** The ring: the newest calls in full, those before as traces. */
function remember(state: GuardianState, newest: Observation): GuardianState {
  const history = [...state.history, newest];
  const gone = history.splice(0, Math.max(0, history.length - bounds.history));
  return { ...state, history, past: gone.length === 0 ? state.past : [...state.past, ...gone.map(traceOf)].slice(-bounds.past) };
}

function traceOf(each: Observation): Trace {
  return [each.index, each.turn, each.personTurn, each.schedule, each.epoch, each.kind, each.call.exact, each.outcome.masked, each.isSettled ? 1 : 0];
}
