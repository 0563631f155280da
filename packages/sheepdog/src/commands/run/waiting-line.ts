import type { AgentEvent } from "@sheepdog/agent";
import { wholeDuration } from "@sheepdog/agent/timeline";
import { plainText } from "../../render/terminal/plain-text.ts";
import { callText } from "../../sentences/call-text.ts";
import { shortened } from "../../sentences/shortened.ts";

const maxQuestion = 80;

/** What a run without a terminal says while a question waits in channels, and once it is answered. */
export function waitingLine(event: AgentEvent, channels: readonly string[]): string | undefined {
  const sent = `(sent to ${channels.join(", ")})`;
  switch (event.type) {
    case "ApprovalRequested":
      return `waiting${upTo(event)} for an answer to \`${callText(event)}\` ${sent}`;
    case "QuestionAsked":
      return `waiting${upTo(event)} for an answer to: ${quoted(event.question.text)} ${sent}`;
    case "ToolStart":
      return event.tool === "ask_user"
        ? `waiting${upTo(event)} for an answer to the agent's question ${sent}`
        : undefined;
    case "ApprovalResolved":
      return event.isAllowed
        ? "approved"
        : `not approved${event.reason === undefined ? "" : `: ${quoted(event.reason)}`}`;
    case "QuestionAnswered":
      return `answered: ${event.answer}`;
    default:
      return undefined;
  }
}

/** The events that such a line is made of. */
export const waitingEvents = [
  "ApprovalRequested",
  "QuestionAsked",
  "ToolStart",
  "ApprovalResolved",
  "QuestionAnswered",
] as const satisfies readonly AgentEvent["type"][];

function upTo({ at, answerBy }: { readonly at: number; readonly answerBy?: number }): string {
  return answerBy === undefined ? "" : ` up to ${wholeDuration(Math.max(1, Math.round((answerBy - at) / 1_000)))}`;
}

function quoted(text: string): string {
  return shortened(plainText(text), maxQuestion);
}
