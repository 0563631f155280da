import type { Reason } from "@sheepdog/agent";
import type { SummaryState } from "./run-summary.ts";

/** How a run stands, in words: what goes on, or how it ended. */
export function describeState(state: SummaryState, reason: Reason | undefined): string {
  switch (state) {
    case "running":
      return "running";
    case "waiting_for_tool":
      return "waiting for a tool";
    case "waiting_for_input":
      return "waiting for you";
    case "broken_off":
      return "broken off";
    case "completed":
      return reason === "goal_accepted" ? "goal reached" : "answered";
    case "cancelled":
      return "cancelled";
    case "error":
    case "timed_out":
    case "max_steps":
    case "budget_exceeded":
      return `ended: ${(reason ?? state).replaceAll("_", " ")}`;
    default:
      return state satisfies never;
  }
}

/** Whether somebody works on it. */
export function isLive(state: SummaryState): boolean {
  return state === "running" || state === "waiting_for_tool" || state === "waiting_for_input";
}
