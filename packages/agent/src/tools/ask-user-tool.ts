import { z } from "zod";
import { answerInTime, late } from "../async/answer-timeout.ts";
import { type Clock, machineClock } from "../protocol/clock.ts";
import { defineTool } from "./define-tool.ts";
import { failed, ok, type Tool } from "./tool.ts";

/** A question of the agent to the user. */
export interface Question {
  /** The call that asks. Unique in its session. */
  readonly callId: string;
  readonly text: string;
  /** Answers to choose from; empty: the user answers in free text. */
  readonly choices: readonly string[];
}

/** Asks the user. Resolves to undefined when the user gives no answer. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<string | undefined>;

export interface AskUserOptions {
  /** How long the tool waits for an answer; default: without limit. */
  readonly answerTimeoutMs?: number | undefined;
  readonly clock?: Pick<Clock, "after">;
}

const input = z.strictObject({
  question: z.string().min(1).max(4_000).describe("One clear question."),
  choices: z.array(z.string().min(1).max(400)).max(10).optional().describe("The possible answers, if there are few."),
});

/** Asks the user a question. In an unattended run it tells the model to continue without an answer. */
export function askUserTool(ask: Ask | undefined, options: AskUserOptions = {}): Tool {
  const { answerTimeoutMs, clock = machineClock } = options;
  return defineTool({
    name: "ask_user",
    origin: "builtin",
    description:
      "Asks the user a question and waits for the answer. " +
      "Use it only for what you cannot find out yourself and cannot reasonably decide.",
    input,
    kind: "read",
    timeoutMs: Number.POSITIVE_INFINITY, // the user may take any time to answer
    ...(ask === undefined ? {} : { answerTimeoutMs: answerTimeoutMs ?? Number.POSITIVE_INFINITY }),
    async run({ question, choices = [] }, { callId, signal }) {
      if (ask === undefined)
        return failed(
          "There is no user to answer: this run is unattended. " +
            "Decide yourself, choose the safer option, and say in your answer what you assumed.",
        );
      const answer = await answerInTime((timedSignal) => ask({ callId, text: question, choices }, timedSignal), {
        timeoutMs: answerTimeoutMs,
        signal,
        clock,
      }).catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
      if (signal.aborted)
        return { status: "interrupted", content: "The question was withdrawn: the run was interrupted." };
      if (answer !== undefined && answer !== late) return ok(`The user answered: ${answer}`);
      return failed("The user gave no answer. Decide yourself and say in your answer what you assumed.");
    },
  });
}
