import type { StreamClient } from "./stream-client.ts";

/** What is wrong with what a client received. All are 0 when it received every saved message once and in order. */
export interface Faults {
  readonly lost: number;
  readonly doubled: number;
  readonly misplaced: number;
  /** Messages whose content is not that of the store, or not that of other clients. */
  readonly different: number;
}

export const noFaults: Faults = { lost: 0, doubled: 0, misplaced: 0, different: 0 };

/** Compares what a client received up to a position with what it had to receive. */
export function faultsOf(client: StreamClient, saved: readonly number[], to: number): Faults {
  const expected = saved.filter((position) => position > client.from && position <= to);
  const received = client.positions.filter((position) => position <= to);
  const distinct = new Set(received);
  return {
    lost: expected.filter((position) => !distinct.has(position)).length,
    doubled: received.length - distinct.size,
    misplaced: received.filter((position, index) => index > 0 && position < (received[index - 1] ?? 0)).length,
    different: client.different(),
  };
}

export function addFaults(one: Faults, other: Faults): Faults {
  return {
    lost: one.lost + other.lost,
    doubled: one.doubled + other.doubled,
    misplaced: one.misplaced + other.misplaced,
    different: one.different + other.different,
  };
}
