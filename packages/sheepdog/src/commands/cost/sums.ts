import type { CostSum } from "@sheepdog/agent";

/** A sum as printed. Sums by tool have no tokens. */
export type Sum = Pick<CostSum, "key" | "requests" | "costNanoUsd" | "unpricedTokens"> &
  Partial<Pick<CostSum, "inputTokens" | "outputTokens" | "uncertainNanoUsd" | "estimatedRequests">>;

/** The total of several sums. */
export function totalOf(sums: readonly Sum[], key = "total"): Sum {
  const add = (amount: (sum: Sum) => number) => sums.reduce((total, sum) => total + amount(sum), 0);
  return {
    key,
    requests: add(({ requests }) => requests),
    costNanoUsd: add(({ costNanoUsd }) => costNanoUsd),
    unpricedTokens: add(({ unpricedTokens }) => unpricedTokens),
    inputTokens: add(({ inputTokens = 0 }) => inputTokens),
    outputTokens: add(({ outputTokens = 0 }) => outputTokens),
    uncertainNanoUsd: add(({ uncertainNanoUsd = 0 }) => uncertainNanoUsd),
    estimatedRequests: add(({ estimatedRequests = 0 }) => estimatedRequests),
  };
}

/** A sum as JSON. `costUsd` is null if no part of it has a price, and never includes `unpricedTokens`. */
export function sumDocument(sum: Sum): Readonly<Record<string, unknown>> {
  const { key, requests, costNanoUsd, unpricedTokens, inputTokens, outputTokens } = sum;
  const { uncertainNanoUsd, estimatedRequests } = sum;
  return {
    key,
    requests,
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    unpricedTokens,
    costUsd: isUnpriced(sum) ? null : costNanoUsd / 1e9,
    ...(uncertainNanoUsd === undefined ? {} : { uncertainUsd: uncertainNanoUsd / 1e9 }),
    ...(estimatedRequests === undefined ? {} : { estimatedRequests }),
  };
}

/** Whether no part of a sum has a price. */
export function isUnpriced({ costNanoUsd, unpricedTokens }: Pick<Sum, "costNanoUsd" | "unpricedTokens">): boolean {
  return costNanoUsd === 0 && unpricedTokens > 0;
}
