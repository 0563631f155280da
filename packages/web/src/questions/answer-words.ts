import type { WireEvent } from "../contract/index.ts";

/** What a saved event says about a question that waited: its id, and what was answered. */
export interface AnswerNews {
  readonly id: string;
  readonly runId: string;
  readonly at: number;
  /** "stop it"; undefined if there was no answer in time. */
  readonly answer: string | undefined;
}

/** The answer that an event records, if it records one. */
export function answerNews(event: WireEvent): AnswerNews | undefined {
  const { runId, at } = event;
  switch (event.type) {
    case "QuestionAnswered":
      return { id: event.questionId, runId, at, answer: questionAnswer(event.answer, event.text) };
    case "ApprovalResolved": {
      const reason = event.reason === undefined || event.isAllowed ? "" : `, ${event.reason}`;
      return { id: event.callId, runId, at, answer: event.isAllowed ? "approved" : `denied${reason}` };
    }
    case "ToolEnd":
      return { id: event.callId, runId, at, answer: firstLine(event.content) };
    default:
      return undefined;
  }
}

function questionAnswer(answer: string, text: string | undefined): string | undefined {
  if (answer === "stop") return "stop it";
  if (answer === "continue") return "let it continue";
  return answer === "tell" ? `tell it “${firstLine(text ?? "")}”` : undefined;
}

function firstLine(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
