import type { RecordedRun, RecordedStep } from "../trajectory/recorded-run.ts";

/** More than this share of calls with a message right after them is an orchestrator's chatter, not a conversation. */
const CHATTER = 0.7;

/** The places in `run.steps` before which a person spoke: where the recording marks them by its marks, otherwise inferred. */
export function personTurns(run: RecordedRun): ReadonlySet<number> {
  const marked = run.steps.flatMap((step, index) => (step.user ? [index] : []));
  return new Set(marked.length > 0 ? marked : inferred(run.steps));
}

/** A message that calls nothing and yet is followed by another step was answered, unless it only says again what was said before. */
function inferred(steps: readonly RecordedStep[]): number[] {
  if (isChatter(steps)) return [];
  const said = new Set<string>();
  const places: number[] = [];
  steps.forEach((step, index) => {
    if (!isAnswered(steps, index)) return;
    const text = normal(step.text);
    if (!said.has(text)) places.push(index + 1);
    said.add(text);
  });
  return places;
}

function isAnswered(steps: readonly RecordedStep[], index: number): boolean {
  const step = steps[index];
  return step !== undefined && step.calls.length === 0 && step.text.trim() !== "" && index + 1 < steps.length;
}

function isChatter(steps: readonly RecordedStep[]): boolean {
  let calls = 0;
  let followed = 0;
  steps.forEach((step, index) => {
    calls += step.calls.length;
    if (isAnswered(steps, index + 1)) followed += step.calls.length;
  });
  return calls > 0 && followed / calls > CHATTER;
}

function normal(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}
