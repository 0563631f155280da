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
  const calls = messages.flatMap((message) =>
    message.role === "assistant" ? callsOf(message).map((call) => ({ call, at: message.at })) : [],
  );
  const own = calls.findIndex(({ call }) => call.id === callId);
  return calls.slice(0, own === -1 ? undefined : own).flatMap(({ call: { id, tool, input }, at }) => {
    if (tool !== PLAN_TOOL || rejected.has(id)) return [];
    const read = readPlan(input);
    return read.ok ? [{ callId: id, plan: read.plan, at }] : [];
  });
}
