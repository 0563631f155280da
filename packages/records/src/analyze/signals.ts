import {
  type PerceiveOptions,
  type Policy,
  perceiveCall,
  perceiveOutcome,
  perceiveText,
  type Signal,
} from "@sheepdog/guardian";
import { runNanoUsd, stepNanoUsd, stepTokens } from "./recorded-costs.ts";
import { redactSecrets } from "../mask-secrets.ts";
import { personTurns } from "./person-turns.ts";
import type { RecordedRun, RecordedStep } from "../trajectory/recorded-run.ts";
import { sha256 } from "../platform/sha256.ts";

/** A shorter text cannot say anything often enough to be a chant, and most texts are shorter: those need no listening. */
const BRIEF = 256;

/** What the guardian would have been told while the run went on, each signal with the step it belongs to. `policy` says how much of the arguments tells calls apart. */
export function* signalsOf(
  run: RecordedRun,
  policy: Pick<Policy, "argumentChars"> = {},
): Generator<{ readonly signal: Signal; readonly step: RecordedStep }> {
  const [first] = run.steps;
  if (first === undefined) return;
  const senses: PerceiveOptions = {
    digest: sha256,
    redact: redactSecrets,
    ...(policy.argumentChars === undefined ? {} : { argumentChars: policy.argumentChars }),
  };
  const time = createClock(run);
  const usage = createUsage(run);
  const spoken = personTurns(run);
  // Where several agents speak, a message without calls is meant for another of them, and is no monologue.
  const isConversation = new Set(run.steps.map((step) => step.agent)).size > 1;
  let calls = 0;
  // By its name it is one run, with one budget, however often a person speaks in it.
  yield { step: first, signal: { type: "run-start", at: time(first.at), attended: false, tools: [], run: run.id } };
  for (const [index, step] of run.steps.entries()) {
    if (spoken.has(index)) yield { step, signal: { type: "user-message", at: time(step.at), origin: "person" } };
    const at = time(step.at);
    if (step.text.length > BRIEF) {
      yield { step, signal: { type: "stream-start", at } };
      yield { step, signal: { type: "delta", at, channel: "text", text: step.text } };
    }
    yield { step, signal: usage(step, at) };
    if (step.calls.length === 0 && !isConversation)
      yield { step, signal: { type: "reply", at: time(), stop: "end", calls: 0, words: perceiveText(step.text) } };
    for (const call of step.calls) {
      const id = String(calls++);
      const perceived = perceiveCall({ tool: call.name, args: call.args }, senses);
      yield {
        step,
        signal: { type: "call", at: time(call.at), id, tool: call.name, ...perceived, of: step.calls.length },
      };
      const outcome = perceiveOutcome(
        { status: call.isError === true ? "error" : "ok", content: call.result },
        perceived.print,
        senses,
      );
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

/** The run's totals as they grow from step to step. Where nothing has a price, or tokens have none, no money limit can be held. */
function createUsage(run: RecordedRun): (step: RecordedStep, at: number) => Signal {
  let tokens = 0;
  let nanoUsd: number | undefined;
  let isPriced = runNanoUsd(run.steps) !== null;
  return (step, at) => {
    const cost = stepNanoUsd(step);
    tokens += stepTokens(step);
    if (cost !== undefined) nanoUsd = (nanoUsd ?? 0) + cost;
    else if (stepTokens(step) > 0) isPriced = false;
    return {
      type: "usage",
      at,
      used: { "run-tokens": tokens, ...(nanoUsd === undefined ? {} : { "run-cost": nanoUsd }) },
      isPriced,
    };
  };
}
