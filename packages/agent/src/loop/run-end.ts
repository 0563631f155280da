import type { AgentEventBody } from "../protocol/events.ts";
import type { Message } from "../protocol/messages.ts";
import { textOf } from "../protocol/messages.ts";
import type { Reason } from "../protocol/result.ts";

/** How a run ends. */
export interface RunEnd {
  readonly reason: Reason;
  readonly text: string;
  readonly problem?: string;
  /** What is said of the last turn, once the end is kept. */
  readonly told?: readonly AgentEventBody[];
}

/** The end of a run that was stopped: what was done, what failed, and how it goes on. */
export function stopped(reason: Reason, problem: string, messages: readonly Message[]): RunEnd {
  return { reason, problem, text: summary(problem, messages) };
}

function summary(problem: string, messages: readonly Message[]): string {
  const begin = messages.findLastIndex((message) => message.role === "user" && message.origin === "person");
  const ofRun = messages.slice(begin + 1);
  const results = ofRun.flatMap((message) => (message.role === "tool" ? [message] : []));
  const failures = results.filter((result) => result.status !== "ok");
  const said = ofRun.findLast((message) => message.role === "assistant" && textOf(message).trim() !== "");
  return [
    problem,
    results.length === 0
      ? "No tool was called."
      : `${results.length} tool calls were made${failures.length === 0 ? "." : `, ${failures.length} of them did not succeed; the last: ${lastLine(failures.at(-1))}`}`,
    ...(said?.role === "assistant" ? [`The agent's last words: ${cut(textOf(said).trim(), 400)}`] : []),
  ].join("\n");
}

function lastLine(result: { readonly tool: string; readonly content: string } | undefined): string {
  return result === undefined ? "" : `${result.tool}: ${cut(result.content.trim().split("\n")[0] ?? "", 160)}`;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}
