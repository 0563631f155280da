import { callsOf, type Message } from "../protocol/messages.ts";
import type { Plan } from "../protocol/plan.ts";
import { readPlan } from "./plan-input.ts";

export const PLAN_TOOL = "execute_plan";

/** How the result of a call begins whose plan was not executed. */
export const REJECTED = "The plan cannot be executed.";

/** A plan that was executed before. */
export interface EarlierPlan {
  readonly callId: string;
  readonly plan: Plan;
  readonly at: number;
}

/** The executed plans of a session before a call, oldest first. */
export function earlierPlans(messages: readonly Message[], callId: string): readonly EarlierPlan[] {
  const rejected = new Set(
    messages.flatMap((message) =>
      message.role === "tool" && message.content.startsWith(REJECTED) ? [message.callId] : [],
    ),
  );
  return messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    return callsOf(message).flatMap(({ id, tool, input }) => {
      if (tool !== PLAN_TOOL || id === callId || rejected.has(id)) return [];
      const read = readPlan(input);
      return read.ok ? [{ callId: id, plan: read.plan, at: message.at }] : [];
    });
  });
}
