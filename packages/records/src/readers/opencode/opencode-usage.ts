import type { RecordedUsage } from "../../trajectory/recorded-run.ts";
import { dollarsField, objectField, optional, tokensField } from "../fields.ts";

/**
 * The usage of a request from opencode's `tokens` and `cost`; undefined when it counts no token. opencode counts what
 * is read from and written to the cache beside the input. Whether `output` contains the reasoning depends on its
 * version: the total, where there is one, tells. A cost of 0 beside tokens is what opencode writes for a model whose
 * price it does not know and for subscriptions, so it is no statement about a cost.
 */
export function opencodeUsage(tokens: unknown, cost: unknown): RecordedUsage | undefined {
  const { input, output, reasoning, cache, total } = objectField(tokens);
  const { read, write } = objectField(cache);
  const [cacheReadTokens = 0, cacheWriteTokens = 0] = [tokensField(read), tokensField(write)];
  const inputTokens = (tokensField(input) ?? 0) + cacheReadTokens + cacheWriteTokens;
  const outputTokens = outputWithReasoning({
    output: tokensField(output) ?? 0,
    reasoning: tokensField(reasoning) ?? 0,
    all: (tokensField(total) ?? 0) - inputTokens,
  });
  if (inputTokens + outputTokens === 0) return undefined;
  const costUsd = dollarsField(cost);
  return {
    inputTokens,
    ...optional("cacheReadTokens", cacheReadTokens || undefined),
    ...optional("cacheWriteTokens", cacheWriteTokens || undefined),
    outputTokens,
    ...optional("costUsd", costUsd || undefined),
  };
}

/** `all` is what the total leaves for the output; too little when there is no total. */
function outputWithReasoning(counts: { readonly output: number; readonly reasoning: number; readonly all: number }) {
  const sum = counts.output + counts.reasoning;
  return counts.all >= counts.output && counts.all < sum ? counts.all : sum;
}
