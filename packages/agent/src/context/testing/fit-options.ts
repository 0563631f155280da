import type { Message } from "../../protocol/messages.ts";
import type { FitOptions } from "../fitted-context.ts";
import { createTokenCounter } from "../token-counter.ts";

/** Options for a fit into 2,000 tokens that always estimates, so that the numbers can be followed by hand. */
export function fitOptions(messages: readonly Message[], more: Partial<FitOptions> = {}): FitOptions {
  return {
    messages,
    system: "You are an agent.",
    tools: [],
    maxTokens: 2_000,
    strategy: "compact",
    counter: createTokenCounter({ loadEncoding: () => Promise.reject(new Error("not here")) }),
    summarize: async (left) => `${left.length} messages were about files`,
    signal: new AbortController().signal,
    ...more,
  };
}
