import type { AgentEvent } from "@sheepdog/agent";

/** What a run waits for. Times in milliseconds. */
export type Waiting =
  | { readonly for: "model" | "thinking"; readonly since: number }
  | { readonly for: "call-input"; readonly tool: string; readonly since: number }
  | { readonly for: "retry"; readonly until: number; readonly attempt: number }
  | { readonly for: "budget"; readonly since: number }
  | { readonly for: "calls"; readonly since: number }
  /** The user, or nothing: the run is over. */
  | { readonly for: "nothing" };

/** What a run waits for after an event that arrived at `now`; undefined if the event changes nothing. */
export function waitingAfter(event: AgentEvent, now: number): Waiting | undefined {
  switch (event.type) {
    case "RunStarted":
    case "TurnStarted":
    case "ContextCompacted":
    case "TurnComplete":
      return { for: "model", since: now };
    case "ThinkingDelta":
      return { for: "thinking", since: now };
    case "ToolUseStart":
      return { for: "call-input", tool: event.tool, since: now };
    case "ProviderRetry":
      return { for: "retry", until: now + event.waitMs, attempt: event.attempt };
    case "BudgetWait":
      return { for: "budget", since: now };
    case "ToolStart":
      return { for: "calls", since: now };
    case "ApprovalRequested":
    case "RunComplete":
    case "RunError":
      return { for: "nothing" };
    default:
      return undefined;
  }
}

/** Keeps the start of a wait that continues. */
export function continueWaiting(previous: Waiting, next: Waiting | undefined): Waiting {
  if (next === undefined) return previous;
  return next.for === previous.for && (next.for === "thinking" || next.for === "budget") ? previous : next;
}
