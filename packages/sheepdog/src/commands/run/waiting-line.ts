import type { AgentEvent } from "@sheepdog/agent";
import { wholeDuration } from "@sheepdog/agent/timeline";
import { type AskedChannel, isAsked } from "../../channels/is-asked.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { callText } from "../../sentences/call-text.ts";
import { shortened } from "../../sentences/shortened.ts";

const maxQuestion = 80;

/** What a run without a terminal says while a question waits in channels, and once it is answered. */
export function waitingLine(event: AgentEvent, channels: readonly AskedChannel[]): string | undefined {
  const namesOf = (kind: "approval" | "question") =>
    channels.filter((channel) => isAsked(channel, kind)).map(({ name }) => name);
  switch (event.type) {
    case "ApprovalRequested":
      return askedLine(event, ` to \`${callText(event)}\``, namesOf("approval"));
    case "QuestionAsked":
      return askedLine(event, ` to: ${quoted(event.question.text)}`, namesOf("question"));
    case "ToolStart":
      return event.tool === "ask_user" ? askedLine(event, " to the agent's question", namesOf("question")) : undefined;
    case "ApprovalResolved":
      return event.isAllowed
        ? "approved"
        : `not approved${event.reason === undefined ? "" : `: ${quoted(event.reason)}`}`;
    case "LessonLearned":
      return `learned: ${event.rule} To take it back: sheepdog memory safety remove last`;
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
  "LessonLearned",
] as const satisfies readonly AgentEvent["type"][];

/** Undefined if no channel is asked: then the run does not wait. */
function askedLine(
  { at, answerBy }: { readonly at: number; readonly answerBy?: number },
  question: string,
  names: readonly string[],
): string | undefined {
  if (names.length === 0) return undefined;
  const limit =
    answerBy === undefined ? "" : ` up to ${wholeDuration(Math.max(1, Math.round((answerBy - at) / 1_000)))}`;
  return `waiting${limit} for an answer${question} (sent to ${names.join(", ")})`;
}

function quoted(text: string): string {
  return shortened(plainText(text), maxQuestion);
}
