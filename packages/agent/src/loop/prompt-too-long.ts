import type { PromptOverflow } from "../context/prompt-overflow.ts";
import type { AgentRun } from "./agent-run.ts";
import { type Finish, finishWithout } from "./finish.ts";

/** Ends a run whose prompts do not fit into its context: the next request is not sent. */
export function finishTooLong(run: AgentRun, overflow: PromptOverflow): Finish {
  const { neededTokens } = overflow;
  const finish = finishWithout(run, "prompt_too_long", overflowProblem(run, overflow));
  return isTooLargeForModel(run, overflow) ? finish : { ...finish, neededContextTokens: neededTokens };
}

function isTooLargeForModel({ setup }: AgentRun, { neededTokens }: PromptOverflow): boolean {
  const { contextWindow } = setup.settings;
  return contextWindow > 0 && contextWindow < neededTokens;
}

/** Says how long the prompts are, how much fits, and what would make them fit. */
function overflowProblem(run: AgentRun, overflow: PromptOverflow): string {
  const { promptTokens, promptCount, roomTokens, neededTokens } = overflow;
  const { maxContextTokens, contextWindow } = run.setup.settings;
  const subject = promptCount === 1 ? "The prompt has" : "The prompt and the messages after it have";
  return (
    `${subject} about ${formatCount(promptTokens)} tokens, and the context of ${formatCount(maxContextTokens)} ` +
    `(max_context_tokens) has room for ${formatCount(roomTokens)}; the request was not sent. ` +
    (isTooLargeForModel(run, overflow)
      ? `The model reads at most ${formatCount(contextWindow)} tokens. Save the text in a file and let the agent ` +
        "read parts of it, or use a model with a larger context window."
      : `Resume with max_context_tokens set to ${formatCount(neededTokens)} or more if the model can read that much, ` +
        "or save the text in a file and let the agent read parts of it.")
  );
}

/** A number of tokens with separators: `90,000`. */
export function formatCount(tokens: number): string {
  return tokens.toLocaleString("en-US");
}
