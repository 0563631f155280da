import type { RecordedCall, RecordedRun, RecordedStep } from "@sheepdog/records";

/** A call with its place in the run. */
export interface PlacedCall {
  readonly index: number;
  readonly step: RecordedStep;
  readonly call: RecordedCall;
}

/** All calls of a run, in order. */
export function placedCalls({ steps }: RecordedRun): readonly PlacedCall[] {
  return steps.flatMap((step) => step.calls.map((call) => ({ step, call }))).map((each, index) => ({ ...each, index }));
}
