import { modelSize } from "@sheepdog/records";
import type { PromptOverflow } from "../context/prompt-overflow.ts";
import type { AgentRun } from "./agent-run.ts";
import { type Finish, finishWithout } from "./finish.ts";

/** Ends a run whose prompt does not fit into its context, before anything is sent. */
export function finishTooLong(run: AgentRun, overflow: PromptOverflow): Finish {
  const { neededTokens: neededContextTokens } = overflow;
  return { ...finishWithout(run, "prompt_too_long", overflowProblem(run, overflow)), neededContextTokens };
}

/** Says how long the prompt is, how much fits, and what would make it fit. */
function overflowProblem(
  { setup: { models, settings } }: AgentRun,
  { promptTokens, roomTokens, neededTokens }: PromptOverflow,
): string {
  const window = modelSize(models[0]?.modelId ?? "")?.window;
  const isTooLargeForModel = window !== undefined && window < neededTokens;
  const limit = `${count(settings.maxContextTokens)} (max_context_tokens)`;
  return (
    `The prompt has about ${count(promptTokens)} tokens, and the context of ${limit} has room for ` +
    `${count(roomTokens)}; nothing was sent. ` +
    (isTooLargeForModel
      ? `The model reads at most ${count(window)} tokens. Save the text in a file and let the agent read parts of ` +
        "it, or use a model with a larger context window."
      : `Set max_context_tokens to ${count(neededTokens)} or more if the model can read that much, or save the text ` +
        "in a file and let the agent read parts of it.")
  );
}

function count(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
