import type { Reason } from "@sheepdog/agent";

/** Why a run ended, to follow "The run ended: ". */
export const reasonWords: Readonly<Record<Reason, string>> = {
  answered: "it answered",
  goal_accepted: "the goal is reached",
  goal_escalated: "the goal was not reached, and a person has to see to it",
  context_budget: "the context is full and could not be made smaller",
  token_budget: "the tokens of the run are used up",
  run_budget: "the money for the run is spent",
  session_budget: "the money for the session is spent",
  day_budget: "the money for the day is spent",
  month_budget: "the money for the month is spent",
  doom_loop: "the agent went in circles",
  no_progress: "the agent made no progress",
  tool_failures: "the same calls failed again and again",
  side_effects: "the agent did the same thing again and again",
  chant: "the model repeated itself without end",
  monologue: "the agent talked and did nothing",
  stall: "nothing was heard for too long",
  spawn_limit: "too many subagents were started",
  denials: "too many calls were refused",
  max_turns: "those were all the turns it may take",
  timeout: "the time is up",
  provider_error: "the model could not be asked",
  refused: "the model refused",
  cancelled: "it was cancelled",
  internal_error: "something broke",
};
