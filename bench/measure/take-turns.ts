import { type Player, startPlayer } from "./player.ts";

/** Those who play, and why others do not. */
export interface Field<Order, Taken> {
  readonly players: readonly Player<Order, Taken>[];
  readonly missing: ReadonlyMap<string, string>;
}

/** Starts everybody who can be used here. */
export async function startPlayers<Order extends object, Taken>(
  names: readonly string[],
  script: URL,
): Promise<Field<Order, Taken>> {
  const players: Player<Order, Taken>[] = [];
  const missing = new Map<string, string>();
  for (const name of names) {
    try {
      players.push(await startPlayer<Order, Taken>(name, script));
    } catch (error) {
      missing.set(name, `cannot be used here: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
    }
  }
  return { players, missing };
}

/** Has players do the same so many times, one after the other, in an order that rotates. One that `isSlow` does it `slowRounds` times only: once. */
export async function takeTurns<Order, Taken>(
  players: readonly Player<Order, Taken>[],
  order: Order,
  {
    rounds,
    isSlow,
    slowRounds = 1,
  }: { readonly rounds: number; readonly isSlow: (taken: Taken) => boolean; readonly slowRounds?: number },
): Promise<ReadonlyMap<string, readonly Taken[]>> {
  const taken = new Map<string, Taken[]>(players.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (let i = 0; i < players.length; i += 1) {
      const player = players[(i + round) % players.length] as Player<Order, Taken>; // in bounds by the remainder
      const before = taken.get(player.name) ?? [];
      if (before.length >= slowRounds && before.some(isSlow)) continue;
      before.push(await player.play(order));
    }
  }
  return taken;
}
