import type { Reason, RunResult } from "@sheepdog/agent";

/** Why a run ended, to follow "Done: " or "Ended: ". */
export function endText(result: Pick<RunResult, "reason" | "interventions" | "isStoppedByUser">): string {
  if (result.isStoppedByUser === true) return "you stopped it";
  return isUnpricedEnd(result)
    ? "the price of the model is unknown, so the money limit cannot be checked"
    : reasonText[result.reason];
}

/** The reasons of the money limits. */
export const moneyReasons: readonly Reason[] = ["run_budget", "session_budget", "day_budget", "month_budget"];

/** Whether a money limit ended the run although it was not reached: it could not be checked. */
export function isUnpricedEnd({ reason, interventions }: Pick<RunResult, "reason" | "interventions">): boolean {
  const lastStop = interventions.findLast(({ effect, isApplied }) => effect === "stop" && isApplied);
  return moneyReasons.includes(reason) && lastStop?.isUnpriced === true;
}

const reasonText: Readonly<Record<Reason, string>> = {
  answered: "the agent answered",
  goal_accepted: "the agent reached the goal",
  goal_escalated: "the agent did not reach the goal and needs your help",
  context_budget: "the context is full and could not be made smaller",
  token_budget: "the run has used all its tokens",
  run_budget: "the run has spent its budget",
  session_budget: "the session has spent its budget",
  day_budget: "the budget for today is spent",
  month_budget: "the budget for this month is spent",
  doom_loop: "the agent repeated the same calls",
  no_progress: "the agent made no progress",
  tool_failures: "the same calls kept failing",
  side_effects: "the agent repeated the same action",
  chant: "the model repeated the same text",
  monologue: "the agent talked without doing anything",
  stall: "the model sent nothing for too long",
  spawn_limit: "the agent started too many subagents",
  denials: "too many calls were refused",
  max_turns: "the run has used all its turns",
  timeout: "the run has used all its time",
  prompt_too_long: "the prompt does not fit into the context",
  provider_error: "the request to the model failed",
  refused: "the model refused",
  cancelled: "the run was cancelled",
  broken_off: "its process ended before the run did",
  internal_error: "an internal error occurred",
};

/** The reason in front of the cost, `max_turns; `. Empty where the words already are the reason. */
export function endCause(reason: Reason): string {
  return reason === "cancelled" ? "" : `${reason}; `;
}
