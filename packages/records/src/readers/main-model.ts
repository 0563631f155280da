import type { RecordedStep } from "../trajectory/recorded-run.ts";

/** The model of most steps; the earlier one of two that are equally frequent. */
export function mainModel(steps: readonly RecordedStep[]): string | undefined {
  return mostFrequent(steps.flatMap(({ model }) => model ?? []));
}

/** The most frequent text, the first one of several. */
export function mostFrequent(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  let most: string | undefined;
  for (const [text, count] of counts) if (most === undefined || count > (counts.get(most) ?? 0)) most = text;
  return most;
}
