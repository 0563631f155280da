import { startPlayers, takeTurns } from "../measure/take-turns.ts";
import { contestants, langgraphName } from "./contestants/index.ts";
import type { Order, Taken } from "./play-once.ts";

export const shortTurns = 200;
export const middleTurns = 500;
export const longTurns = 2_000;

/** Who took what, round by round. */
export type Rounds = ReadonlyMap<string, readonly Taken[]>;

/** What every contestant took, by the number of turns. */
export interface Measured {
  readonly taken: ReadonlyMap<number, Rounds>;
  /** Why a contestant is missing. */
  readonly missing: ReadonlyMap<string, string>;
}

/** Conversations that take more than this many microseconds are played three times only. */
const slowMicros = 10_000_000;

/** What is slow in itself is warm soon: it takes many steps. */
const slowWarmUps = 6;

/** Has the contestants take turns: short conversations first, which warm them up. */
export async function measure({
  warmUps,
  rounds,
  longRounds,
}: {
  warmUps: number;
  rounds: number;
  longRounds: number;
}): Promise<Measured> {
  const { players, missing } = await startPlayers<Order, Taken>(
    Object.keys(contestants),
    new URL("child.ts", import.meta.url),
  );
  const isSlow = ({ total }: Taken) => total > slowMicros;
  const played = (turns: number, times: number, who = players) =>
    takeTurns(who, { turns, kind: "read" }, { rounds: times, isSlow, slowRounds: 3 });
  const quick = players.filter(({ name }) => name !== langgraphName); // it writes all that was said with every step
  const slow = players.filter(({ name }) => name === langgraphName);
  try {
    await played(shortTurns, warmUps, quick);
    await played(shortTurns, slowWarmUps, slow);
    const taken = new Map<number, Rounds>();
    taken.set(shortTurns, await played(shortTurns, rounds));
    taken.set(middleTurns, await played(middleTurns, rounds));
    taken.set(longTurns, await played(longTurns, longRounds, quick));
    return { taken, missing };
  } finally {
    for (const player of players) player.leave();
  }
}
