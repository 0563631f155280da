import { startWorker, type Worker } from "./worker.ts";

/** The workers that could be started, and why others could not. */
export interface Workers<Task, Result> {
  readonly workers: readonly Worker<Task, Result>[];
  readonly missing: ReadonlyMap<string, string>;
}

/** Starts a worker for each contestant that is usable here. */
export async function startWorkers<Task extends object, Result>(
  names: readonly string[],
  script: URL,
): Promise<Workers<Task, Result>> {
  const workers: Worker<Task, Result>[] = [];
  const missing = new Map<string, string>();
  for (const name of names) {
    try {
      workers.push(await startWorker<Task, Result>(name, script));
    } catch (error) {
      missing.set(name, `cannot be used here: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
    }
  }
  return { workers, missing };
}

export interface RotationOptions<Result> {
  readonly rounds: number;
  /** A worker with such a result stops after `slowRounds` rounds. */
  readonly isSlow?: (result: Result) => boolean;
  /** 1 unless set. */
  readonly slowRounds?: number;
}

/** Has all workers run the same task in every round, one after the other, in an order that rotates. */
export async function runInRotation<Task, Result>(
  workers: readonly Worker<Task, Result>[],
  task: Task,
  { rounds, isSlow = () => false, slowRounds = 1 }: RotationOptions<Result>,
): Promise<ReadonlyMap<string, readonly Result[]>> {
  const results = new Map<string, Result[]>(workers.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const position of workers.keys()) {
      const worker = workers[(position + round) % workers.length] as Worker<Task, Result>; // in bounds by the remainder
      const ownResults = results.get(worker.name) ?? [];
      if (ownResults.length >= slowRounds && ownResults.some(isSlow)) continue;
      ownResults.push(await worker.run(task));
    }
  }
  return results;
}
