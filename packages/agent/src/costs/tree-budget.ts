import type { RequestPurpose } from "../protocol/request-purpose.ts";

/** Money and tokens of requests. */
export interface TreeAmount {
  readonly nanoUsd: number;
  readonly tokens: number;
}

/**
 * What a run and its subagents, which all run in one process, have spent together, and what they have reserved for
 * requests in flight.
 */
export interface TreeBudget {
  readonly spent: TreeAmount;
  readonly reserved: TreeAmount;
  /** What the requests for a purpose have spent. */
  spentOn(purpose: RequestPurpose): TreeAmount;
  reserve(requestId: string, amount: TreeAmount): void;
  /** Replaces a reservation, if there is one, by what the request has used. Default purpose: `turn`. */
  settle(requestId: string, amount: TreeAmount, purpose?: RequestPurpose): void;
}

export const nothingSpent: TreeAmount = { nanoUsd: 0, tokens: 0 };

export function createTreeBudget(): TreeBudget {
  const reservations = new Map<string, TreeAmount>();
  const byPurpose = new Map<RequestPurpose, TreeAmount>();
  let spent = nothingSpent;
  const spentOn = (purpose: RequestPurpose) => byPurpose.get(purpose) ?? nothingSpent;
  return {
    get spent() {
      return spent;
    },
    get reserved() {
      return [...reservations.values()].reduce(add, nothingSpent);
    },
    spentOn,
    reserve(requestId, amount) {
      reservations.set(requestId, amount);
    },
    settle(requestId, amount, purpose = "turn") {
      reservations.delete(requestId);
      byPurpose.set(purpose, add(spentOn(purpose), amount));
      spent = add(spent, amount);
    },
  };
}

function add(one: TreeAmount, other: TreeAmount): TreeAmount {
  return { nanoUsd: one.nanoUsd + other.nanoUsd, tokens: one.tokens + other.tokens };
}
