import type { Reason, RunResult, SavedRun } from "@sheepdog/agent";

/** The state of a run, seen from another process. `broken_off`: it is recorded as running, but its process is gone. */
export type SummaryState = SavedRun["state"] | "broken_off";

/** What the words about the state of a run need. */
interface DescribedRun {
  readonly state: SummaryState;
  readonly run: { readonly reason?: Reason };
  readonly ended: Partial<Pick<RunResult, "isStoppedByUser">>;
}

/** The state of a run in words. */
export function describeState({ state, run: { reason }, ended }: DescribedRun): string {
  if (ended.isStoppedByUser === true) return "stopped by you";
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

/** Whether a process is running it. */
export function isLive(state: SummaryState): boolean {
  return state === "running" || state === "waiting_for_tool" || state === "waiting_for_input";
}
