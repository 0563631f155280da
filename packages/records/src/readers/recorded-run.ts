import type { RecordedRun, RecordedStep } from "../trajectory/recorded-run.ts";
import { mainModel } from "./main-model.ts";

/** What is known of a run besides its steps. `model`: where no step has one. */
type RunFacts = { readonly [K in keyof Omit<RecordedRun, "steps">]: RecordedRun[K] | undefined };

/** The run with these steps; undefined without any. */
export function recordedRun(steps: readonly RecordedStep[], facts: RunFacts): RecordedRun | undefined {
  if (steps.length === 0) return undefined;
  const fields = Object.entries({ ...facts, model: mainModel(steps) ?? facts.model });
  const known = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  return { ...known, steps } as RecordedRun; // RunFacts has its fields
}
