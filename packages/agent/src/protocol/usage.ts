import type { Usage } from "./messages.ts";

/** Nothing was used yet. */
export const noUsage: Usage = Object.freeze({ input: 0, cacheRead: 0, cacheWrite: 0, output: 0, isEstimated: false });

/** Two usages in one; estimated where either was. */
export function sumUsage(a: Usage, b: Usage): Usage {
  return Object.freeze({
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
    isEstimated: a.isEstimated || b.isEstimated,
  });
}

/** A copy that nobody can change, and of nothing else that came with it. */
export function fixedUsage({ input, cacheRead, cacheWrite, output, isEstimated }: Usage): Usage {
  return Object.freeze({ input, cacheRead, cacheWrite, output, isEstimated });
}

/** All tokens of a usage. */
export function tokensOf({ input, output }: Usage): number {
  return input + output;
}
