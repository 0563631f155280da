import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { failed, ok, type Tool } from "./tool.ts";

/** A question to the user. */
export interface Question {
  readonly text: string;
  /** Answers to choose from; empty: the user answers in free text. */
  readonly choices: readonly string[];
}

/** Asks the user. Resolves to undefined when the user gives no answer. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<string | undefined>;

const input = z.strictObject({
  question: z.string().min(1).max(4_000).describe("One clear question."),
  choices: z.array(z.string().min(1).max(400)).max(10).optional().describe("The possible answers, if there are few."),
});

/** Asks the user a question. In an unattended run it tells the model to continue without an answer. */
export function askUserTool(ask: Ask | undefined): Tool {
  return defineTool({
    name: "ask_user",
    origin: "builtin",
    description:
      "Asks the user a question and waits for the answer. " +
      "Use it only for what you cannot find out yourself and cannot reasonably decide.",
    input,
    kind: "read",
    timeoutMs: Number.POSITIVE_INFINITY, // the user may take any time to answer
    async run({ question, choices = [] }, { signal }) {
      if (ask === undefined)
        return failed(
          "There is no user to answer: this run is unattended. " +
            "Decide yourself, choose the safer option, and say in your answer what you assumed.",
        );
      const answer = await ask({ text: question, choices }, signal);
      if (answer !== undefined) return ok(`The user answered: ${answer}`);
      return signal.aborted
        ? { status: "interrupted", content: "The question was withdrawn: the run was interrupted." }
        : failed("The user gave no answer. Decide yourself and say in your answer what you assumed.");
    },
  });
}
