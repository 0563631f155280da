import { perceiveCall, perceiveOutcome, perceiveText, type Senses, type Signal } from "@sheepdog/guardian";
import { stepNanoUsd, stepTokens } from "./costs.ts";
import { maskSecrets } from "./mask-secrets.ts";
import { personTurns } from "./person-turns.ts";
import type { RecordedRun, RecordedStep } from "./run.ts";
import { sha256 } from "./sha256.ts";

const senses: Senses = { digest: sha256, redact: maskSecrets };

/** What the guardian would have been told while the run went on, each signal with the step it belongs to. */
export function* signalsOf(run: RecordedRun): Generator<{ readonly signal: Signal; readonly step: RecordedStep }> {
  const [first] = run.steps;
  if (first === undefined) return;
  const time = createClock(run);
  const usage = createUsage();
  const spoken = personTurns(run);
  let calls = 0;
  yield { step: first, signal: { type: "run-start", at: time(first.at), attended: false, tools: [] } };
  for (const [index, step] of run.steps.entries()) {
    if (spoken.has(index)) yield { step, signal: { type: "user-message", at: time(step.at), origin: "person" } };
    yield { step, signal: usage(step, time(step.at)) };
    if (step.calls.length === 0) yield { step, signal: { type: "reply", at: time(), stop: "end", calls: 0, words: perceiveText(step.text) } };
    for (const call of step.calls) {
      const id = String(calls++);
      const perceived = perceiveCall({ tool: call.name, args: call.args }, senses);
      yield { step, signal: { type: "call", at: time(call.at), id, tool: call.name, ...perceived } };
      const outcome = perceiveOutcome({ status: call.isError === true ? "error" : "ok", content: call.result }, perceived.print, senses);
      yield { step, signal: { type: "result", at: time(), id, outcome } };
    }
    yield { step, signal: { type: "turn-end", at: time() } };
  }
}

/** The recorded time where there is one, otherwise a millisecond after the signal before: nothing is known of waiting. */
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

/** The run's totals as they grow from step to step. */
function createUsage(): (step: RecordedStep, at: number) => Signal {
  let turns = 0;
  let tokens = 0;
  let nanoUsd: number | undefined;
  let isPriced = true;
  return (step, at) => {
    const cost = stepNanoUsd(step);
    turns++;
    tokens += stepTokens(step);
    if (cost !== undefined) nanoUsd = (nanoUsd ?? 0) + cost;
    else if (stepTokens(step) > 0) isPriced = false;
    return { type: "usage", at, used: { turns, "run-tokens": tokens, ...(nanoUsd === undefined ? {} : { "run-cost": nanoUsd }) }, isPriced };
  };
}
