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
  reserve(requestId: string, amount: TreeAmount): void;
  /** Replaces a reservation, if there is one, by what the request has used. */
  settle(requestId: string, amount: TreeAmount): void;
}

export const nothingSpent: TreeAmount = { nanoUsd: 0, tokens: 0 };

export function createTreeBudget(): TreeBudget {
  const reservations = new Map<string, TreeAmount>();
  let spent = nothingSpent;
  return {
    get spent() {
      return spent;
    },
    get reserved() {
      return [...reservations.values()].reduce(add, nothingSpent);
    },
    reserve(requestId, amount) {
      reservations.set(requestId, amount);
    },
    settle(requestId, amount) {
      reservations.delete(requestId);
      spent = add(spent, amount);
    },
  };
}

function add(one: TreeAmount, other: TreeAmount): TreeAmount {
  return { nanoUsd: one.nanoUsd + other.nanoUsd, tokens: one.tokens + other.tokens };
}
