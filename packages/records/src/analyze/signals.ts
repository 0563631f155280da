import {
  type PerceiveOptions,
  type Policy,
  perceiveCall,
  perceiveOutcome,
  perceiveText,
  type Signal,
} from "@sheepdog/guardian";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import { sha256 } from "../platform/sha256.ts";
import type { RecordedRun, RecordedStep } from "../trajectory/recorded-run.ts";
import { personTurns } from "./person-turns.ts";
import { runNanoUsd, stepNanoUsd, stepTokens } from "./recorded-costs.ts";

/** A shorter text cannot repeat a phrase often enough for the detector `chant`, so it needs no delta. */
const MIN_DELTA_CHARS = 256;

/** A signal with the step it belongs to. */
export interface SignalOfStep {
  readonly signal: Signal;
  readonly step: RecordedStep;
}

/** The signals the guardian would have received during the run. The policy says how much of the arguments counts. */
export function* signalsOf(run: RecordedRun, policy: Pick<Policy, "argumentChars"> = {}): Generator<SignalOfStep> {
  const [firstStep] = run.steps;
  if (firstStep === undefined) return;
  const options: PerceiveOptions = {
    digest: sha256,
    redact: redactSecrets,
    ...(policy.argumentChars === undefined ? {} : { argumentChars: policy.argumentChars }),
  };
  const time = createClock(run);
  const usage = createUsageMeter(run);
  const turnsOfPerson = personTurns(run);
  // With several agents, a reply without calls is addressed to another agent and is no monologue.
  const hasSeveralAgents = new Set(run.steps.map((step) => step.agent)).size > 1;
  let callCount = 0;
  // The id makes the recording one run with one budget, although a person may write several times.
  yield {
    step: firstStep,
    signal: { type: "run-start", at: time(firstStep.at), attended: false, tools: [], run: run.id },
  };
  for (const [index, step] of run.steps.entries()) {
    if (turnsOfPerson.has(index)) yield { step, signal: { type: "user-message", at: time(step.at), origin: "person" } };
    else if (step.assigned) yield { step, signal: { type: "user-message", at: time(step.at), origin: "scheduled" } };
    const at = time(step.at);
    if (step.compacted) yield { step, signal: { type: "compacted", at } };
    if (step.text.length > MIN_DELTA_CHARS) {
      yield { step, signal: { type: "stream-start", at } };
      yield { step, signal: { type: "delta", at, channel: "text", text: step.text } };
    }
    for (const opinion of step.opinions ?? []) yield { step, signal: { ...opinion, type: "opinion", at } };
    yield { step, signal: usage(step, at) };
    if (step.calls.length === 0 && !hasSeveralAgents)
      yield { step, signal: { type: "reply", at: time(), stop: "end", calls: 0, words: perceiveText(step.text) } };
    for (const recorded of step.calls) {
      const { name: tool, args, kind, at: callAt } = recorded;
      const id = String(callCount++);
      const call = perceiveCall({ tool, args, kind }, options);
      yield { step, signal: { type: "call", at: time(callAt), id, tool, ...call, of: step.calls.length } };
      if (recorded.isResultUnknown) continue; // neither news nor a repetition
      const status = recorded.status ?? (recorded.isError === true ? "error" : "ok");
      const outcome = perceiveOutcome({ status, content: recorded.result }, call.print, options);
      yield { step, signal: { type: "result", at: time(), id, outcome } };
    }
    yield { step, signal: { type: "turn-end", at: time() } };
  }
}

/** Returns the recorded time, or one millisecond after the previous signal when no time is recorded. */
function createClock(run: RecordedRun): (at?: number) => number {
  let now = firstTime(run) ?? 0;
  return (at) => {
    now = at ?? now + 1;
    return now;
  };
}

function firstTime(run: RecordedRun): number | undefined {
  for (const step of run.steps) {
    const at = step.at ?? step.calls.find((call) => call.at !== undefined)?.at;
    if (at !== undefined) return at;
  }
  return undefined;
}

/** Sums usage step by step. Money limits do not apply when the run has no cost, or tokens without a cost. */
function createUsageMeter(run: RecordedRun): (step: RecordedStep, at: number) => Signal {
  let tokens = 0;
  let nanoUsd: number | undefined;
  let isPriced = runNanoUsd(run.steps) !== null;
  return (step, at) => {
    const stepCost = stepNanoUsd(step);
    tokens += stepTokens(step);
    if (stepCost !== undefined) nanoUsd = (nanoUsd ?? 0) + stepCost;
    else if (stepTokens(step) > 0) isPriced = false;
    return {
      type: "usage",
      at,
      used: { "run-tokens": tokens, ...(nanoUsd === undefined ? {} : { "run-cost": nanoUsd }) },
      isPriced,
    };
  };
}
