import type { AgentEventBody } from "../protocol/events.ts";
import { type Message, textOf } from "../protocol/messages.ts";
import type { Reason } from "../protocol/result.ts";
import type { AgentRun } from "./agent-run.ts";

/** The end of a run, as a step returns it. */
export interface Finish {
  readonly type: "finish";
  readonly reason: Reason;
  readonly text: string;
  readonly problem?: string;
  readonly neededContextTokens?: number;
  /** Events of the last turn, published once the end is saved. */
  readonly turnEvents?: readonly AgentEventBody[];
}

/** What a step returns when the run continues. */
export interface Continue {
  readonly type: "continue";
}

export const continues: Continue = { type: "continue" };

/** Ends a run without an answer: its text is a summary of what was done and what failed. */
export function finishWithout({ setup, history }: AgentRun, reason: Reason, problem: string): Finish {
  const ofRun = history.messages.filter(({ at }) => at >= setup.startedAt);
  return { type: "finish", reason, problem, text: summary(problem, ofRun) };
}

/** The end decided by the guardian, if it has decided one. `requestProblem`: why the last request failed. */
export function finishByGuard(run: AgentRun, requestProblem?: string): Finish | undefined {
  const { stop } = run.guard;
  if (stop === undefined) return undefined;
  const problem =
    requestProblem === undefined ? stop.message : `${stop.message} The last request failed: ${requestProblem}`;
  const finish = finishWithout(run, stop.reason, problem);
  return stop.reason === "context_budget" ? { ...finish, ...largerContext(run) } : finish;
}

/** Twice the context, as far as the model can read that much; nothing if it cannot read more. */
function largerContext({ setup: { settings } }: AgentRun): Pick<Finish, "neededContextTokens"> {
  const { maxContextTokens, contextWindow } = settings;
  const larger = Math.min(2 * maxContextTokens, contextWindow === 0 ? Number.POSITIVE_INFINITY : contextWindow);
  return larger > maxContextTokens ? { neededContextTokens: larger } : {};
}

export function finishCancelled(run: AgentRun): Finish {
  return finishWithout(run, "cancelled", "The run was cancelled.");
}

function summary(problem: string, ofRun: readonly Message[]): string {
  const results = ofRun.flatMap((message) => (message.role === "tool" ? [message] : []));
  const failures = results.filter((result) => result.status !== "ok");
  const lastReply = ofRun.findLast((message) => message.role === "assistant" && textOf(message).trim() !== "");
  const lines = [problem, callsSentence(results.length, failures)];
  const lastHint = ofRun.findLast((message) => message.role === "user" && message.reason === "judge");
  if (lastReply?.role === "assistant") lines.push(`The agent's last words: ${cut(textOf(lastReply).trim(), 400)}`);
  if (lastHint?.role === "user") lines.push(`The judge's last hint: ${cut(lastHint.text.trim(), 400)}`);
  return lines.join("\n");
}

function callsSentence(
  count: number,
  failures: readonly { readonly tool: string; readonly content: string }[],
): string {
  if (count === 0) return "No tool was called.";
  const calls = `${count} tool ${count === 1 ? "call was" : "calls were"} made`;
  const last = failures.at(-1);
  if (last === undefined) return `${calls}.`;
  const line = cut(last.content.trim().split("\n")[0] ?? "", 160);
  return `${calls}, ${failures.length} of them did not succeed; the last: ${last.tool}: ${line}`;
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).trimEnd()}…`;
}
