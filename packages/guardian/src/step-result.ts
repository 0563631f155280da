import type { Intervention } from "./intervention.ts";
import type { GuardianState } from "./state.ts";

/** What was said about a signal. */
export interface Said {
  readonly interventions: readonly Intervention[];
  /** Episodes that closed. */
  readonly recovered: readonly string[];
}

/** What a signal led to. */
export interface Step extends Said {
  readonly state: GuardianState;
}

/** Nothing, about nearly all of them. */
export const silent: Said = { interventions: Object.freeze([]), recovered: Object.freeze([]) };
