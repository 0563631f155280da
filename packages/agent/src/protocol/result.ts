import type { Intervention, StopReason } from "@sheepdog/guardian";
import type { Usage } from "./messages.ts";

/** The state a run ended in, or is in. */
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
  | "provider_error"
  | "refused"
  | "cancelled"
  | "internal_error";

/** What each reason means for the run and for the process that ran it. */
export const outcomes: Readonly<Record<Reason, { readonly state: RunState; readonly exitCode: number }>> = {
  answered: { state: "completed", exitCode: 0 },
  goal_accepted: { state: "completed", exitCode: 0 },
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
  internal_error: { state: "error", exitCode: 1 },
};

/** What came of a run. A run never rejects for what the world did: that is told here. */
export interface RunResult {
  readonly sessionId: string;
  readonly runId: string;
  readonly state: RunState;
  readonly reason: Reason;
  readonly exitCode: number;
  /** The answer, or where there is none what was done, what failed and how to go on. */
  readonly text: string;
  /** One sentence about what went wrong, where something did. */
  readonly problem?: string;
  readonly turns: number;
  readonly usage: Usage;
  /** Its own requests; null where a price is unknown. */
  readonly costNanoUsd: number | null;
  /** The same with those of its subagents, where it had some. */
  readonly costWithSubagentsNanoUsd?: number | null;
  readonly interventions: readonly Intervention[];
}
