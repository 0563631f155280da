import { closestName } from "./judge/closest-name.ts";
import { callDetectors } from "./judge/detectors/index.ts";
import type { Finding } from "./judge/finding.ts";
import { recoverByCall } from "./judge/recover.ts";
import { isChange, look, type Sight } from "./judge/sight.ts";
import type { OutcomePrint } from "./perceive/print.ts";
import { type DetectorName, detectorNames, type Policy } from "./policy.ts";
import type { SignalOf } from "./signal.ts";
import { bounds, type GuardianState, noted, type Observation, type OpenCall, short, type Trace } from "./state.ts";
import { quiet, type Step } from "./step-result.ts";

/** A call has ended: it is compared with those before it, judged, and remembered. What was found is told at the end of the turn. */
export function onResult(policy: Policy, state: GuardianState, signal: SignalOf<"result">): Step {
  const call = state.open.find((each) => each.id === short(signal.id, bounds.id));
  if (call === undefined) return quiet(state); // a result nobody asked for, or one told twice
  const waiting = { ...state, open: state.open.filter((each) => each !== call), clock: { ...state.clock, idleMs: 0 } };
  if (call.isDenied) return quiet(waiting);
  const { excerpt, ...outcome } = signal.outcome;
  const sight = look(waiting, observation(waiting, call, outcome));
  const remembered = remember(judge(policy, waiting, sight, excerpt), sight.newest);
  const { state: after, recovered } = recoverByCall(remembered, sight.newest);
  return { state: isChange(sight.newest) ? { ...after, epoch: after.epoch + 1 } : after, interventions: [], recovered };
}

function observation(state: GuardianState, call: OpenCall, outcome: Omit<OutcomePrint, "excerpt">): Observation {
  const cost = state.limits["run-cost"]?.used;
  return {
    index: call.index,
    turn: state.turn,
    personTurn: state.personTurn,
    schedule: state.schedule,
    compaction: state.compaction,
    epoch: state.epoch,
    atMs: call.atMs,
    ms: state.clock.elapsedMs - call.atMs,
    ...(cost === undefined ? {} : { costNanoUsd: cost }),
    tool: call.tool,
    kind: call.kind,
    call: call.call,
    outcome,
    likeness: 0,
    redundancy: 0,
  };
}

/** Asks every detector. One that throws is switched off and named; the others go on. */
function judge(policy: Policy, state: GuardianState, sight: Sight, excerpt: string | undefined): GuardianState {
  const findings: Finding[] = [];
  const broken: DetectorName[] = [];
  for (const detector of detectorNames) {
    const detect = callDetectors[detector];
    if (detect === undefined || policy.detectors[detector] === undefined || state.broken.includes(detector)) continue;
    try {
      const finding = detect(sight);
      if (finding !== undefined) findings.push(detailed(state, finding, excerpt));
    } catch {
      broken.push(detector); // becomes a value: the detector is off from here on, and the caller is told
    }
  }
  return { ...state, found: noted(state.found, findings), ...(broken.length === 0 ? {} : { broken: [...state.broken, ...broken] }) };
}

function detailed(state: GuardianState, finding: Finding, excerpt: string | undefined): Finding {
  const closest = finding.advice === "unknown-tool" ? closestName(finding.tool, Object.keys(state.tools)) : undefined;
  return { ...finding, ...(excerpt === undefined ? {} : { excerpt }), ...(closest === undefined ? {} : { closest }) };
}

/** The ring: the newest calls in full, those before as traces. */
function remember(state: GuardianState, newest: Observation): GuardianState {
  const history = [...state.history, newest];
  if (history.length <= bounds.history) return { ...state, history };
  const [oldest, ...rest] = history as [Observation, ...Observation[]]; // longer than its bound, so not empty
  return { ...state, history: rest, past: [...state.past, traceOf(oldest)].slice(-bounds.past) };
}

function traceOf(each: Observation): Trace {
  return [each.index, each.turn, each.personTurn, each.schedule, each.epoch, each.kind, each.call.exact, each.outcome.masked, each.isSettled ? 1 : 0];
}
