import type { Observation } from "../../remembered-calls.ts";
import type { Pair } from "../sight.ts";

/** A failure the agent could learn from; a refusal or an interruption is none. */
export function isFailing(observation: Observation): boolean {
  const { status, failure } = observation.outcome;
  return failure !== undefined && status !== "denied" && status !== "interrupted";
}

/** Counts failures that are repeated. */
export function failureWeight({ isFailure, weight }: Pair): number {
  return isFailure ? weight : 0;
}
