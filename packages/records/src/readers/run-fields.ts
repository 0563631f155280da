import type { CountingNotes, RecordedRun, RecordedStep } from "../trajectory/recorded-run.ts";

/** The model of most steps; nothing where no step names one. */
export function mainModel(steps: readonly RecordedStep[]): Pick<RecordedRun, "model"> {
  const counts = new Map<string, number>();
  for (const { model } of steps) if (model !== undefined) counts.set(model, (counts.get(model) ?? 0) + 1);
  const [main] = [...counts].sort(([, one], [, other]) => other - one);
  return main === undefined ? {} : { model: main[0] };
}

/** These counts and that of the steps without usage, as far as they are not 0. */
export function countingNotes(counts: CountingNotes, steps: readonly RecordedStep[]): Pick<RecordedRun, "counting"> {
  const withoutUsage = steps.filter(({ usage }) => usage === undefined).length;
  const present = Object.entries({ ...counts, withoutUsage }).filter(([, count]) => count > 0);
  return present.length === 0 ? {} : { counting: Object.fromEntries(present) };
}
