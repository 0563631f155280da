/**
 * The money of a run together with its subagents, which all run in one process: what they have spent, and what they
 * have reserved for requests in flight.
 */
export interface TreeBudget {
  readonly spentNanoUsd: number;
  readonly reservedNanoUsd: number;
  reserve(requestId: string, nanoUsd: number): void;
  /** Replaces a reservation, if there is one, by what the request has cost. */
  settle(requestId: string, nanoUsd: number): void;
}

export function createTreeBudget(): TreeBudget {
  const reservations = new Map<string, number>();
  let spentNanoUsd = 0;
  return {
    get spentNanoUsd() {
      return spentNanoUsd;
    },
    get reservedNanoUsd() {
      return [...reservations.values()].reduce((sum, nanoUsd) => sum + nanoUsd, 0);
    },
    reserve(requestId, nanoUsd) {
      reservations.set(requestId, nanoUsd);
    },
    settle(requestId, nanoUsd) {
      reservations.delete(requestId);
      spentNanoUsd += nanoUsd;
    },
  };
}
