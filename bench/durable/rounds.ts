import { runInRotation, startWorkers } from "../measure/rotation.ts";
import { contestants, langgraphName } from "./contestants/index.ts";
import type { Measurement, Task } from "./run-once.ts";

export const shortTurns = 200;
export const middleTurns = 500;
export const longTurns = 2_000;

/** Measurements by contestant, one entry a round. */
export type Measurements = ReadonlyMap<string, readonly Measurement[]>;

export interface Measured {
  readonly byTurns: ReadonlyMap<number, Measurements>;
  /** Why a contestant is missing. */
  readonly missing: ReadonlyMap<string, string>;
}

/** A conversation that takes longer is run three times only. */
const slowMicros = 10_000_000;

/** LangGraph is warm after few conversations: each has many steps. */
const langgraphWarmUps = 6;

export interface RoundCounts {
  readonly warmUps: number;
  readonly rounds: number;
  readonly longRounds: number;
}

/** Measures the contestants in turn: short conversations first, which warm them up. */
export async function measure({ warmUps, rounds, longRounds }: RoundCounts): Promise<Measured> {
  const { workers, missing } = await startWorkers<Task, Measurement>(
    Object.keys(contestants),
    new URL("child.ts", import.meta.url),
  );
  const isSlow = ({ cpuMicros }: Measurement) => cpuMicros > slowMicros;
  const run = (turns: number, times: number, participants = workers) =>
    runInRotation(participants, { turns, kind: "read" }, { rounds: times, isSlow, slowRounds: 3 });
  const langgraph = workers.filter(({ name }) => name === langgraphName); // every step writes the whole conversation
  const others = workers.filter(({ name }) => name !== langgraphName);
  try {
    await run(shortTurns, warmUps, others);
    await run(shortTurns, langgraphWarmUps, langgraph);
    const byTurns = new Map<number, Measurements>();
    byTurns.set(shortTurns, await run(shortTurns, rounds));
    byTurns.set(middleTurns, await run(middleTurns, rounds));
    byTurns.set(longTurns, await run(longTurns, longRounds, others));
    return { byTurns, missing };
  } finally {
    for (const worker of workers) worker.stop();
  }
}
