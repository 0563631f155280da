import type { Taken } from "./child.ts";
import { contestants } from "./contestants/index.ts";
import { type Player, startPlayer } from "./player.ts";

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

/** Has the contestants take turns: short conversations first, which warm them up, then long ones. */
export async function measure({ warmUps, rounds, longRounds }: { warmUps: number; rounds: number; longRounds: number }): Promise<Measured> {
  const missing = new Map<string, string>();
  const memory = new Map<string, Taken>();
  const players: Player[] = [];
  for (const name of Object.keys(contestants)) {
    try {
      players.push(await startPlayer(name));
    } catch (error) {
      missing.set(name, `cannot be used here: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
    }
  }
  try {
    await takeTurns(players, shortTurns, warmUps, new Map());
    const short = await takeTurns(players, shortTurns, rounds, new Map());
    const long = await takeTurns(players, longTurns, longRounds, new Map());
    for (const { name } of players) {
      const fresh = await startPlayer(name);
      const isSlow = (long.get(name)?.[0]?.total ?? 0) > slowMicros;
      const taken = isSlow ? long.get(name)?.[0] : await fresh.play(longTurns);
      if (taken !== undefined) memory.set(name, taken);
      fresh.leave();
    }
    return { short, long, memory, missing };
  } finally {
    for (const player of players) player.leave();
  }
}

async function takeTurns(players: readonly Player[], turns: number, rounds: number, taken: Map<string, Taken[]>): Promise<Map<string, Taken[]>> {
  for (let round = 0; round < rounds; round += 1) {
    for (let i = 0; i < players.length; i += 1) {
      const player = players[(i + round) % players.length] as Player; // in bounds by the remainder
      const before = taken.get(player.name) ?? [];
      if ((before[0]?.total ?? 0) > slowMicros) continue;
      taken.set(player.name, [...before, await player.play(turns)]);
    }
  }
  return taken;
}
