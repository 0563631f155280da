import type { RecordedUsage } from "../../trajectory/recorded-run.ts";
import { optional } from "../fields.ts";
import { type Attributes, amountOf, tokensOf } from "./attributes.ts";

const inputNames = [
  ...["gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.usage.prompt_tokens"],
  ...["llm.token_count.prompt", "ai.usage.promptTokens", "ai.usage.inputTokens", "input_tokens"],
];
const outputNames = [
  ...["gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.usage.completion_tokens"],
  ...["llm.token_count.completion", "ai.usage.completionTokens", "ai.usage.outputTokens", "output_tokens"],
];
const cacheReadNames = [
  ...["gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens", "cache_read_tokens"],
  ...["gen_ai.usage.details.cache_read_tokens", "gen_ai.usage.input_tokens.cached", "cache_read_input_tokens"],
  ...["llm.token_count.prompt_details.cache_read", "ai.usage.cachedInputTokens"],
];
const cacheWriteNames = [
  ...["gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_creation_input_tokens", "cache_creation_tokens"],
  ...[
    "gen_ai.usage.details.cache_write_tokens",
    "gen_ai.usage.input_tokens.cache_write",
    "cache_creation_input_tokens",
  ],
  ...["gen_ai.usage.cache_write.input_tokens"],
  ...["llm.token_count.prompt_details.cache_write"],
];
const costNames = ["sheepdog.cost_usd", "gen_ai.usage.cost", "gen_ai.usage.cost_usd", "operation.cost", "cost_usd"];

/**
 * The usage of a span. By the conventions the input includes the tokens of the cache. Claude Code counts them beside
 * it, and so do older instrumentations, which shows when the input is smaller than its cached part.
 */
export function spanUsage(attributes: Attributes, request: string | undefined): RecordedUsage | undefined {
  const input = tokensOf(attributes, inputNames);
  const output = tokensOf(attributes, outputNames);
  const costUsd = amountOf(attributes, costNames);
  if ((input ?? 0) + (output ?? 0) === 0 && costUsd === undefined) return undefined;
  const cacheRead = tokensOf(attributes, cacheReadNames);
  const cacheWrite = tokensOf(attributes, cacheWriteNames);
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  const isBeside = attributes.has("cache_read_tokens") || (input ?? 0) < cached;
  return {
    ...optional("inputTokens", input === undefined ? undefined : input + (isBeside ? cached : 0)),
    ...optional("cacheReadTokens", cacheRead),
    ...optional("cacheWriteTokens", cacheWrite),
    ...optional("outputTokens", output),
    ...optional("costUsd", costUsd),
    ...optional("request", request),
  };
}
