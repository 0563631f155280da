import type { CostSum } from "@sheepdog/agent";

/** A sum as it is printed: one that is made by tool has no tokens of its own. */
export type Sum = Pick<CostSum, "key" | "requests" | "costNanoUsd" | "unpricedTokens"> &
  Partial<Pick<CostSum, "inputTokens" | "outputTokens" | "uncertainNanoUsd">>;

/** All of them together. */
export function totalOf(sums: readonly Sum[], key = "total"): Sum {
  const add = (of: (sum: Sum) => number) => sums.reduce((total, sum) => total + of(sum), 0);
  return {
    key,
    requests: add(({ requests }) => requests),
    costNanoUsd: add(({ costNanoUsd }) => costNanoUsd),
    unpricedTokens: add(({ unpricedTokens }) => unpricedTokens),
    inputTokens: add(({ inputTokens = 0 }) => inputTokens),
    outputTokens: add(({ outputTokens = 0 }) => outputTokens),
    uncertainNanoUsd: add(({ uncertainNanoUsd = 0 }) => uncertainNanoUsd),
  };
}

/** A sum in JSON. `costUsd` is what is known to have been spent: null where nothing of it has a price, and `unpricedTokens` come on top. */
export function sumDocument({
  key,
  requests,
  costNanoUsd,
  unpricedTokens,
  inputTokens,
  outputTokens,
  uncertainNanoUsd,
}: Sum): Readonly<Record<string, unknown>> {
  return {
    key,
    requests,
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    unpricedTokens,
    costUsd: isUnpriced({ costNanoUsd, unpricedTokens }) ? null : costNanoUsd / 1e9,
    ...(uncertainNanoUsd === undefined ? {} : { uncertainUsd: uncertainNanoUsd / 1e9 }),
  };
}

/** Whether nothing of it has a price. */
export function isUnpriced({ costNanoUsd, unpricedTokens }: Pick<Sum, "costNanoUsd" | "unpricedTokens">): boolean {
  return costNanoUsd === 0 && unpricedTokens > 0;
}
