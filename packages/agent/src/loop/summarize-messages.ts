import type { Summarize } from "../context/strategies/strategy.ts";
import { textOf, type UserMessage } from "../protocol/messages.ts";
import type { AgentRun } from "./agent-run.ts";
import type { PromptContext } from "./prompt-context.ts";
import { internalRequestOptions, requestSize } from "./request-options.ts";

const MAX_OUTPUT_TOKENS = 1_024;

const question =
  "The messages above will be left out of this conversation. Summarize them in at most 300 words, so that the work " +
  "can continue without them: what was asked for, what was done and found, what failed, what is still to do, and the " +
  "names of files that matter. Call no tool and include no secret.";

/**
 * Lets the run's own model summarize older messages: one internal request that is not part of the history, counted in
 * cost. Rejects if that fails; the messages are then left out without a summary.
 */
export function summarizeMessages(
  run: AgentRun,
  context: Pick<PromptContext, "system" | "tools" | "counter">,
): Summarize {
  return async (messages) => {
    const { clock } = run.setup;
    const { system, tools, counter } = context;
    const prompt: UserMessage = {
      role: "user",
      id: clock.newId("msg"),
      at: clock.now(),
      origin: "automatic",
      reason: "summary",
      text: question,
    };
    const request = {
      system,
      messages: [...messages, prompt],
      tools,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
    };
    const size = requestSize(context, { ...request, purpose: "summary" });
    const options = internalRequestOptions(run, { signal: run.guard.requestSignal(), size, counter });
    const answer = await run.setup.requestModel(request, options);
    const text = answer.ok ? textOf(answer.message).trim() : "";
    if (text === "") throw new Error(answer.ok ? "The model gave no summary." : answer.failure.problem);
    return text;
  };
}
