import type { JsonObject } from "../../trajectory/json-fields.ts";
import type { RecordedUsage } from "../../trajectory/recorded-run.ts";
import { dollarsField, objectField, optional, tokensField } from "../fields.ts";

/**
 * The usage of a request as the APIs of OpenAI and of Anthropic return it. OpenAI counts the tokens of the cache as
 * input, Anthropic beside it.
 */
export function requestUsage(value: unknown, request: string | undefined): RecordedUsage | undefined {
  const usage = objectField(value);
  const input = tokensField(usage["prompt_tokens"]) ?? tokensField(usage["input_tokens"]);
  const output = tokensField(usage["completion_tokens"]) ?? tokensField(usage["output_tokens"]);
  if (input === undefined && output === undefined) return undefined;
  const besideInput = tokensField(usage["cache_read_input_tokens"]);
  const cacheWrite = tokensField(usage["cache_creation_input_tokens"]);
  const ofInput = tokensField(cachedTokens(usage));
  return {
    inputTokens: (input ?? 0) + (besideInput ?? 0) + (cacheWrite ?? 0),
    ...optional("cacheReadTokens", besideInput ?? ofInput),
    ...optional("cacheWriteTokens", cacheWrite),
    outputTokens: output ?? 0,
    ...optional("costUsd", dollarsField(usage["cost"])),
    ...optional("request", request),
  };
}

function cachedTokens(usage: JsonObject): unknown {
  const details = { ...objectField(usage["prompt_tokens_details"]), ...objectField(usage["input_tokens_details"]) };
  return details["cached_tokens"];
}
