import { callsOf, type Message } from "../protocol/messages.ts";
import type { Plan } from "../protocol/plan.ts";
import { readPlan } from "./plan-input.ts";

export const PLAN_TOOL = "execute_plan";

/** How the result of a call begins whose plan was not executed. */
export const REJECTED = "The plan cannot be executed.";

/** A call of the tool before the present one. */
export interface EarlierPlan {
  readonly callId: string;
  readonly at: number;
  /** `unknown`: a process crashed during the call. */
  readonly end: "rejected" | "succeeded" | "failed" | "interrupted" | "unknown";
  /** Absent if the arguments were no plan. */
  readonly plan?: Plan;
}

/** The calls of a session before a call, since a time, oldest first. */
export function earlierPlans(messages: readonly Message[], callId: string, since: number): readonly EarlierPlan[] {
  const ends = new Map(
    messages.flatMap((message) =>
      message.role === "tool" && message.tool === PLAN_TOOL ? [[message.callId, endOf(message)] as const] : [],
    ),
  );
  const calls = messages.flatMap((message) =>
    message.role === "assistant" && message.at >= since
      ? callsOf(message).map((call) => ({ ...call, at: message.at }))
      : [],
  );
  const ownIndex = calls.findIndex(({ id }) => id === callId);
  return calls.slice(0, ownIndex === -1 ? undefined : ownIndex).flatMap(({ id, tool, input, at }) => {
    if (tool !== PLAN_TOOL) return [];
    const read = readPlan(input);
    return [{ callId: id, at, end: ends.get(id) ?? "unknown", ...(read.ok ? { plan: read.plan } : {}) }];
  });
}

function endOf({ status, content }: Extract<Message, { role: "tool" }>): EarlierPlan["end"] {
  if (content.startsWith(REJECTED)) return "rejected";
  if (status === "ok") return "succeeded";
  return status === "error" ? "failed" : "interrupted";
}
