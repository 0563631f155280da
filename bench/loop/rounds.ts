import { startPlayer } from "../measure/player.ts";
import { startPlayers, takeTurns } from "../measure/take-turns.ts";
import type { Order, Taken } from "./child.ts";
import { contestants } from "./contestants/index.ts";

/** What every contestant took, round by round; undefined where it did not take part in a round. */
export interface Measured {
  readonly short: ReadonlyMap<string, readonly Taken[]>;
  readonly long: ReadonlyMap<string, readonly Taken[]>;
  /** In a fresh process, where nothing was played before. */
  readonly memory: ReadonlyMap<string, Taken>;
  /** Why a contestant is missing. */
  readonly missing: ReadonlyMap<string, string>;
}

export const shortTurns = 200;
export const longTurns = 2_000;

/** Longer conversations than this many microseconds are played once: those who need minutes would hold up everybody. */
const slowMicros = 20_000_000;

const isSlow = ({ total }: Taken) => total > slowMicros;
const script = new URL("child.ts", import.meta.url);

/** Has the contestants take turns: short conversations first, which warm them up, then long ones. */
export async function measure({
  warmUps,
  rounds,
  longRounds,
}: {
  warmUps: number;
  rounds: number;
  longRounds: number;
}): Promise<Measured> {
  const memory = new Map<string, Taken>();
  const { players, missing } = await startPlayers<Order, Taken>(Object.keys(contestants), script);
  try {
    await takeTurns(players, { turns: shortTurns }, { rounds: warmUps, isSlow });
    const short = await takeTurns(players, { turns: shortTurns }, { rounds, isSlow });
    const long = await takeTurns(players, { turns: longTurns }, { rounds: longRounds, isSlow });
    for (const { name } of players) {
      const warm = long.get(name)?.[0];
      memory.set(name, warm !== undefined && isSlow(warm) ? warm : await playFresh(name));
    }
    return { short, long, memory, missing };
  } finally {
    for (const player of players) player.leave();
  }
}

async function playFresh(name: string): Promise<Taken> {
  const fresh = await startPlayer<Order, Taken>(name, script);
  try {
    return await fresh.play({ turns: longTurns });
  } finally {
    fresh.leave();
  }
}
