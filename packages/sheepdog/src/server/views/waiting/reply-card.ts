import type { Waiting } from "@sheepdog/web/contract";
import { clockText } from "../../../render/clock-text.ts";
import type { TraceCall } from "../../../saved-runs/trace/run-trace.ts";
import { textField } from "../../../sentences/call-text.ts";
import { firstSentence } from "../../../sentences/first-sentence.ts";
import { plainSentence, say } from "../../../sentences/say.ts";
import { type CardFrame, waitsForever } from "./card-frame.ts";

/** The card of a question that the agent asks the user. */
export function replyCard({ callId, input, turn, startedAt, answerBy }: TraceCall, frame: CardFrame): Waiting {
  const question = textField(input, ["question"]) ?? "The agent asks you something.";
  const short = firstSentence(question, 200);
  const isWhole = plainSentence(short).length >= question.trim().length - 1;
  return {
    ...frame,
    kind: "reply",
    id: callId,
    turn,
    title: short.length === 0 ? say`The agent asks you something` : short,
    level: null,
    since: startedAt,
    answerBy: answerBy ?? null,
    command: null,
    facts: isWhole ? [] : [{ name: "Question", value: say`${question.slice(0, 4_000)}` }],
    otherwise:
      answerBy === undefined
        ? waitsForever
        : `Without an answer until ${clockText(answerBy)}, the agent decides itself, and says what it assumed.`,
    choices: choicesOf(input),
  };
}

function choicesOf(input: unknown): string[] {
  if (typeof input !== "object" || input === null || !("choices" in input) || !Array.isArray(input.choices)) return [];
  return input.choices.filter((choice) => typeof choice === "string");
}
