import { runInRotation, startWorkers } from "../measure/rotation.ts";
import { startWorker } from "../measure/worker.ts";
import type { Measurement, Task } from "./child.ts";
import { ai, baseline, contestants, ours, pi } from "./contestants/index.ts";

/** Measurements by contestant, one entry a round. A slow contestant has fewer. */
export type Measurements = ReadonlyMap<string, readonly Measurement[]>;

/** Everything that was measured of whole conversations. */
export interface Measured {
  readonly short: Measurements;
  readonly long: Measurements;
  /** The first 25 turns of a fresh process. */
  readonly cold: Measurements;
  /** Turns with a result of 100 kB, of this build and the other one. */
  readonly largeResults: Measurements;
  /** 2,000 turns of a fresh process, once. */
  readonly memory: ReadonlyMap<string, Measurement>;
  /** Why a contestant is missing. */
  readonly missing: ReadonlyMap<string, string>;
}

export const shortTurns = 200;
export const longTurns = 2_000;
export const coldTurns = 25;
const largeResultTask: Task = { turns: 20, resultBytes: 100_000 };

/** A conversation that takes longer is run once: it would delay all others for minutes. */
const slowMicros = 20_000_000;

const isSlow = ({ cpuMicros }: Measurement) => cpuMicros > slowMicros;
const script = new URL("child.ts", import.meta.url);

export interface RoundCounts {
  readonly warmUps: number;
  readonly rounds: number;
  readonly longRounds: number;
  readonly coldRounds: number;
}

/** Measures fresh processes first, then warm ones: short conversations, which warm them up, then long ones. */
export async function measure({ warmUps, rounds, longRounds, coldRounds }: RoundCounts): Promise<Measured> {
  const cold = await measureCold(coldRounds);
  const { workers, missing } = await startWorkers<Task, Measurement>(Object.keys(contestants), script);
  try {
    await runInRotation(workers, { turns: shortTurns }, { rounds: warmUps, isSlow });
    const short = await runInRotation(workers, { turns: shortTurns }, { rounds, isSlow });
    const builds = workers.filter(({ name }) => name === ours || name === baseline);
    const largeResults = await runInRotation(builds, largeResultTask, { rounds });
    const long = await runInRotation(workers, { turns: longTurns }, { rounds: longRounds, isSlow });
    const memory = new Map<string, Measurement>();
    for (const { name } of workers) {
      const warm = long.get(name)?.[0];
      memory.set(name, warm !== undefined && isSlow(warm) ? warm : await runFresh(name, longTurns));
    }
    return { short, long, cold, largeResults, memory, missing };
  } finally {
    for (const worker of workers) worker.stop();
  }
}

/** Starts a process for each conversation, in an order that rotates. A contestant that fails is left out. */
async function measureCold(rounds: number): Promise<Measurements> {
  const names = [ours, ...(baseline === undefined ? [] : [baseline]), pi, ai];
  const measurements = new Map<string, Measurement[]>();
  const failed = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    for (const position of names.keys()) {
      const name = names[(position + round) % names.length] as string; // in bounds by the remainder
      if (failed.has(name)) continue;
      try {
        const measurement = await runFresh(name, coldTurns);
        measurements.set(name, [...(measurements.get(name) ?? []), measurement]);
      } catch {
        failed.add(name); // the warm measurement says why it cannot be used
        measurements.delete(name);
      }
    }
  }
  return measurements;
}

async function runFresh(name: string, turns: number): Promise<Measurement> {
  const worker = await startWorker<Task, Measurement>(name, script);
  try {
    return await worker.run({ turns });
  } finally {
    worker.stop();
  }
}
