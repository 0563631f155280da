import type { Observation } from "../state/observation.ts";
import type { Pair } from "./comparison.ts";

/** A failure the agent could learn from; a refusal or an interruption is none. */
export function isFailing({ outcome: { status, failure } }: Observation): boolean {
  return failure !== undefined && status !== "denied" && status !== "interrupted";
}

/** Weighs repeated failures only. */
export function failureWeight({ isFailure, weight }: Pair): number {
  return isFailure ? weight : 0;
}
