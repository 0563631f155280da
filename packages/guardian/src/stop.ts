/** Why the run has to end. */
export interface Stop {
  readonly reason: StopReason;
  readonly intervention: string;
  readonly message: string;
}

export type StopReason =
  | "doom_loop"
  | "no_progress"
  | "tool_failures"
  | "side_effects"
  | "denials"
  | "chant"
  | "monologue"
  | "stall"
  | "spawn_limit"
  | "context_budget"
  | "token_budget"
  | "run_budget"
  | "session_budget"
  | "day_budget"
  | "month_budget"
  | "max_turns"
  | "timeout"
  | "internal_error";
