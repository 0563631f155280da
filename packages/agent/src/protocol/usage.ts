import type { Usage } from "./messages.ts";

/** No tokens used. */
export const noUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, isEstimated: false };

/** Adds two usages; the sum is estimated if either was. */
export function sumUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
    isEstimated: a.isEstimated || b.isEstimated,
  };
}

/** Input and output tokens together. */
export function tokensOf({ input, output }: Usage): number {
  return input + output;
}
