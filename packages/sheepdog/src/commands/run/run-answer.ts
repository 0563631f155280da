import type { RunAnswer, RunQuestion } from "@sheepdog/agent";
import { continueChoice } from "../../render/timeline/run-question.ts";
import { noAnswer } from "./no-answer.ts";

/** Asks for the answer that `readRunAnswer` reads. */
export function runAnswerQuestion(question: Pick<RunQuestion, "ifContinued">): string {
  return `s = stop, c = ${continueChoice(question)}, t = tell the agent something; then Enter:`;
}

/** The answer in a typed line. `ask-message`: the message of "t" is missing. Undefined: the line is no answer. */
export function readRunAnswer(line: string): RunAnswer | "ask-message" | undefined {
  if (/^(?:s|stop)$/i.test(line)) return { type: "stop" };
  if (/^(?:c|continue)$/i.test(line)) return { type: "continue" };
  if (/^(?:t|tell)$/i.test(line)) return "ask-message";
  const [, text] = /^(?:t|tell)[\s,:]+(.+)$/i.exec(line) ?? [];
  return text === undefined ? undefined : { type: "tell", text };
}

/** Says that a line is no answer, and asks again. */
export function runAnswerProblem(line: string): string {
  return `${noAnswer(line)} Type s, c, or t and your message:`;
}
