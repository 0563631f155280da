import type { Intervention, StopReason } from "@sheepdog/guardian";
import type { Usage } from "./messages.ts";

/** The current or final state of a run. */
export type RunState =
  | "running"
  | "waiting_for_tool"
  | "waiting_for_input"
  | "completed"
  | "error"
  | "cancelled"
  | "timed_out"
  | "max_steps"
  | "budget_exceeded";

/** Why a run ended. */
export type Reason =
  | "answered"
  | "goal_accepted"
  | "goal_escalated"
  | Exclude<StopReason, "internal_error">
  | "prompt_too_long"
  | "provider_error"
  | "refused"
  | "cancelled"
  | "broken_off"
  | "internal_error";

/** Whether a run ended by a fault of its program or its machine: that says nothing about its work. */
export function isBrokenOff(reason: Reason | undefined): boolean {
  return reason === "internal_error" || reason === "broken_off";
}

/** The final state of the run and the exit code of the process for each reason. */
export const outcomes: Readonly<Record<Reason, { readonly state: RunState; readonly exitCode: number }>> = {
  answered: { state: "completed", exitCode: 0 },
  goal_accepted: { state: "completed", exitCode: 0 },
  prompt_too_long: { state: "error", exitCode: 2 },
  goal_escalated: { state: "error", exitCode: 3 },
  context_budget: { state: "budget_exceeded", exitCode: 4 },
  token_budget: { state: "budget_exceeded", exitCode: 4 },
  run_budget: { state: "budget_exceeded", exitCode: 4 },
  session_budget: { state: "budget_exceeded", exitCode: 4 },
  day_budget: { state: "budget_exceeded", exitCode: 4 },
  month_budget: { state: "budget_exceeded", exitCode: 4 },
  doom_loop: { state: "error", exitCode: 5 },
  no_progress: { state: "error", exitCode: 5 },
  tool_failures: { state: "error", exitCode: 5 },
  side_effects: { state: "error", exitCode: 5 },
  chant: { state: "error", exitCode: 5 },
  monologue: { state: "error", exitCode: 5 },
  stall: { state: "error", exitCode: 5 },
  spawn_limit: { state: "error", exitCode: 5 },
  denials: { state: "error", exitCode: 5 },
  max_turns: { state: "max_steps", exitCode: 6 },
  timeout: { state: "timed_out", exitCode: 6 },
  provider_error: { state: "error", exitCode: 7 },
  refused: { state: "error", exitCode: 7 },
  cancelled: { state: "cancelled", exitCode: 130 },
  broken_off: { state: "error", exitCode: 1 },
  internal_error: { state: "error", exitCode: 1 },
};

/** The result of a run. Failures of the model, a tool or the disk are reported here, not thrown. */
export interface RunResult {
  readonly sessionId: string;
  readonly runId: string;
  readonly state: RunState;
  readonly reason: Reason;
  readonly exitCode: number;
  /** The answer; without one, a summary of what was done, what failed and how to resume. */
  readonly text: string;
  /** One sentence about what went wrong, if anything did. */
  readonly problem?: string;
  /** The user answered a question about the run with "stop"; `reason` says what the question was about. */
  readonly isStoppedByUser?: true;
  /**
   * For `prompt_too_long` and `context_budget`: a context, in tokens, with which the run can be resumed. Absent if the
   * model cannot read that much.
   */
  readonly neededContextTokens?: number;
  readonly turns: number;
  readonly usage: Usage;
  /** The cost of the run's own requests; null when a price is unknown. */
  readonly costNanoUsd: number | null;
  /** The cost including subagents, if the run had any. */
  readonly costWithSubagentsNanoUsd?: number | null;
  readonly interventions: readonly Intervention[];
}
