import { adviceFor } from "../detect/advice.ts";
import { closestName } from "../detect/closest-name.ts";
import { type Comparison, compareWithHistory } from "../detect/comparison.ts";
import { countedCalls } from "../detect/counted-calls.ts";
import type { Detection, Detector } from "../detect/detectors/detector.ts";
import { detectors, seedDetectors } from "../detect/detectors/index.ts";
import { isChange } from "../detect/discount.ts";
import { noteOtherSuccess, recoverByCall } from "../detect/recovery.ts";
import { type OutcomePrint, withoutExcerpt } from "../perceive/print.ts";
import type { DetectorName } from "../policy/detector-rungs.ts";
import type { SignalOf } from "../signal.ts";
import { bounds } from "../state/bounds.ts";
import { onActivity } from "../state/clock.ts";
import type { Draft } from "../state/draft.ts";
import { createFinding, type Finding, type SimilarCalls, withFinding } from "../state/finding.ts";
import type { GuardianState } from "../state/guardian-state.ts";
import type { Observation, Trace, UnansweredCall, UncomparedCall } from "../state/observation.ts";
import type { StepContext } from "../state/step-context.ts";
import { findUnanswered } from "./call.ts";

const callDetectors: readonly Detector<DetectorName>[] = [...detectors, ...seedDetectors];

/**
 * A call has ended: compares it with earlier calls, runs the detectors and stores it. The findings lead to
 * interventions at the end of the turn. Returns the ids of the episodes that closed.
 */
export function onResult(context: StepContext, { id, outcome }: SignalOf<"result">): readonly string[] {
  const { state } = context;
  const call = findUnanswered(state, id);
  if (call === undefined) return []; // refused, never made, or answered before
  state.unanswered = state.unanswered.filter((other) => other !== call);
  onActivity(state);
  const comparison = compareWithHistory(state, finishedCall(state, call, outcome));
  runDetectors(context, comparison, outcome.excerpt);
  storeCalls(state, comparison.history);
  const recovered = recoverByCall(state, comparison.newest);
  noteOtherSuccess(state, comparison.newest);
  if (isChange(comparison.newest)) state.epoch++;
  return recovered;
}

function finishedCall(state: GuardianState, call: UnansweredCall, outcome: OutcomePrint): UncomparedCall {
  return {
    index: call.index,
    turn: state.turn,
    personTurn: state.personTurn,
    scheduledPrompts: state.scheduledPrompts,
    compactions: state.compactions,
    epoch: state.epoch,
    atMs: call.atMs,
    ms: Math.max(0, state.clock.workMs - call.atMs),
    costNanoUsd: state.limits["run-cost"]?.used,
    tool: call.tool,
    kind: call.kind,
    call: call.call,
    outcome: withoutExcerpt(outcome),
  };
}

/** Runs every detector. One that throws is switched off; the others continue. */
function runDetectors({ policy, state }: StepContext, comparison: Comparison, excerpt: string | undefined): void {
  for (const { name, detect } of callDetectors) {
    const rungs = policy.detectors[name];
    if (rungs === undefined || state.brokenDetectors.includes(name)) continue;
    try {
      const detection = detect(comparison, rungs);
      if (detection === undefined || detection.count < 2) continue;
      const finding = findingOf(name, detection, { comparison, excerpt, tools: state.tools });
      state.findings = withFinding(state.findings, finding);
    } catch {
      state.brokenDetectors = [...state.brokenDetectors, name]; // the guardian emits it as `detector-off`
    }
  }
}

interface FindingInput {
  readonly comparison: Comparison;
  readonly excerpt: string | undefined;
  readonly tools: GuardianState["tools"];
}

function findingOf(
  detector: DetectorName,
  detection: Detection,
  { comparison, excerpt, tools }: FindingInput,
): Finding {
  const { newest } = comparison;
  const advice = adviceFor(detector, newest);
  return createFinding(detector, {
    prints: [newest.call.exact, newest.call.loose],
    ...detection,
    ...countedCalls(comparison, detection),
    evidence: detection.evidence.slice(-bounds.evidence),
    tool: newest.tool,
    words: newest.call.words,
    similarCalls: isAboutSimilarCalls(detection) ? similarCallsOf(newest) : undefined,
    advice,
    excerpt,
    closest: advice === "unknown-tool" ? closestName(newest.tool, Object.keys(tools)) : undefined,
  });
}

/** The detection is about one call in several versions. A cycle names the calls that it is about. */
function isAboutSimilarCalls({ isExact, prints }: Detection): boolean {
  return isExact === false && prints === undefined;
}

function similarCallsOf({ tool, call: { words, target } }: Observation): SimilarCalls {
  return { tool, words, target };
}

/** Stores the newest calls in full, and the calls before those as traces. */
function storeCalls(state: Draft, history: readonly Observation[]): void {
  const traced = history.slice(0, -bounds.history).map(traceOf);
  state.traces = [...state.traces, ...traced].slice(-bounds.traces);
  state.history = history.slice(-bounds.history);
}

function traceOf(call: Observation): Trace {
  return [
    call.index,
    call.turn,
    call.personTurn,
    call.scheduledPrompts,
    call.epoch,
    call.kind,
    call.call.exact,
    call.outcome.masked,
    call.isSettled ? 1 : 0,
  ];
}
