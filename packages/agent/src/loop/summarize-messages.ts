import type { Summarize } from "../context/strategies/strategy.ts";
import { textOf } from "../protocol/messages.ts";
import { requestModel } from "../provider/model-request.ts";
import { internalOptions, sizeOf } from "./request-options.ts";
import type { RunContext } from "./run-context.ts";

const MOST_TOKENS = 1_024;

/** Has the run's own model put older messages into few words: one internal request, in no history, counted in cost. Rejects where that fails; then they are left out instead. */
export function summarizeOlder(run: RunContext): Summarize {
  return async (messages) => {
    const ask = {
      role: "user",
      id: run.clock.newId("msg"),
      at: run.clock.now(),
      origin: "automatic",
      reason: "summary",
      text: question,
    } as const;
    const request = {
      system: run.system,
      messages: [...messages, ask],
      tools: run.sentTools,
      maxOutputTokens: MOST_TOKENS,
    };
    const answer = await requestModel(request, internalOptions(run, run.guard.forRequest(), sizeOf(run, request)));
    const text = answer.ok ? textOf(answer.message).trim() : "";
    if (text === "") throw new Error(answer.ok ? "The model gave no summary." : answer.failure.problem);
    return text;
  };
}

const question =
  "The messages above will be left out of this conversation. Put them into at most 300 words, so that the work can go on without them: what was asked for, what was done and " +
  "found, what failed, what is still to do, and the names of files that matter. Call no tool and write down no secret.";
