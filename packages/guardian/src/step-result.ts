import type { Intervention } from "./intervention.ts";
import type { GuardianState } from "./state.ts";

/** What a signal led to. */
export interface Step {
  readonly state: GuardianState;
  readonly interventions: readonly Intervention[];
  /** Episodes that closed. */
  readonly recovered: readonly string[];
}

/** A step that says nothing. */
export function quiet(state: GuardianState): Step {
  return { state, interventions: [], recovered: [] };
}
