import { modelSize } from "@sheepdog/records";
import type { PromptOverflow } from "../context/prompt-overflow.ts";
import type { AgentRun } from "./agent-run.ts";
import { type Finish, finishWithout } from "./finish.ts";

/** Ends a run whose prompts do not fit into its context: the next request is not sent. */
export function finishTooLong(run: AgentRun, overflow: PromptOverflow): Finish {
  const { neededTokens: neededContextTokens } = overflow;
  return { ...finishWithout(run, "prompt_too_long", overflowProblem(run, overflow)), neededContextTokens };
}

/** Says how long the prompts are, how much fits, and what would make them fit. */
function overflowProblem(
  { setup: { models, settings } }: AgentRun,
  { promptTokens, promptCount, roomTokens, neededTokens }: PromptOverflow,
): string {
  const window = modelSize(models[0]?.modelId ?? "")?.window;
  const isTooLargeForModel = window !== undefined && window < neededTokens;
  const subject = promptCount === 1 ? "The prompt has" : "The prompt and the messages after it have";
  return (
    `${subject} about ${count(promptTokens)} tokens, and the context of ${count(settings.maxContextTokens)} ` +
    `(max_context_tokens) has room for ${count(roomTokens)}; the request was not sent. ` +
    (isTooLargeForModel
      ? `The model reads at most ${count(window)} tokens. Save the text in a file and let the agent read parts of ` +
        "it, or use a model with a larger context window."
      : `Resume with max_context_tokens set to ${count(neededTokens)} or more if the model can read that much, or ` +
        "save the text in a file and let the agent read parts of it.")
  );
}

function count(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
