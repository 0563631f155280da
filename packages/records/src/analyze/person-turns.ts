import type { RecordedRun, RecordedStep } from "../trajectory/recorded-run.ts";

/** When messages follow a larger share of the calls, an orchestrator wrote them, not a person. */
const MAX_MESSAGE_SHARE = 0.7;

/**
 * Indexes in `run.steps` before which a person wrote: the marked steps, or inferred ones when the recording does not say
 * who wrote.
 */
export function personTurns(run: RecordedRun): ReadonlySet<number> {
  const marked = run.steps.flatMap((step, index) => (step.user ? [index] : []));
  const isKnown = run.steps.some((step) => step.user || step.assigned);
  return new Set(isKnown ? marked : inferredTurns(run.steps));
}

/** A step without calls that is followed by another step was answered, unless it repeats an earlier text. */
function inferredTurns(steps: readonly RecordedStep[]): number[] {
  if (isOrchestrated(steps)) return [];
  const earlierTexts = new Set<string>();
  const turns: number[] = [];
  steps.forEach((step, index) => {
    if (!isAnswered(steps, index)) return;
    const text = normalized(step.text);
    if (!earlierTexts.has(text)) turns.push(index + 1);
    earlierTexts.add(text);
  });
  return turns;
}

function isAnswered(steps: readonly RecordedStep[], index: number): boolean {
  const step = steps[index];
  return step !== undefined && step.calls.length === 0 && step.text.trim() !== "" && index + 1 < steps.length;
}

function isOrchestrated(steps: readonly RecordedStep[]): boolean {
  let calls = 0;
  let callsBeforeMessage = 0;
  steps.forEach((step, index) => {
    calls += step.calls.length;
    if (isAnswered(steps, index + 1)) callsBeforeMessage += step.calls.length;
  });
  return calls > 0 && callsBeforeMessage / calls > MAX_MESSAGE_SHARE;
}

function normalized(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}
