import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { failed, ok, type Tool } from "./tool.ts";

/** A question to the person who watches. */
export interface Question {
  readonly text: string;
  /** Answers to choose from; none: in own words. */
  readonly choices: readonly string[];
}

/** Asks a person. No answer (nobody there, or the person does not want to) is undefined. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<string | undefined>;

const input = z.strictObject({
  question: z.string().min(1).max(4_000).describe("One clear question."),
  choices: z
    .array(z.string().min(1).max(400))
    .max(10)
    .optional()
    .describe("Answers to choose from, where there are only some."),
});

/** Asks the person a question; where nobody watches, the model is told to go on without. */
export function askUserTool(ask: Ask | undefined): Tool {
  return defineTool({
    name: "ask_user",
    description:
      "Asks the person a question and waits for the answer. Only for what you cannot find out yourself and cannot reasonably decide.",
    input,
    kind: "read",
    timeoutMs: Number.POSITIVE_INFINITY, // people take their time
    async run({ question, choices = [] }, { signal }) {
      if (ask === undefined)
        return failed(
          "Nobody is there to answer: this run is unattended. Decide yourself, take the safer way, and say in your answer what you assumed.",
        );
      const answer = await ask({ text: question, choices }, signal);
      if (answer !== undefined) return ok(`The person answered: ${answer}`);
      return signal.aborted
        ? { status: "interrupted", content: "The question was withdrawn." }
        : failed("The person gave no answer. Decide yourself and say what you assumed.");
    },
  });
}
