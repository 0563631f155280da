import { isAbsolute } from "node:path";
import { inferKind } from "@sheepdog/guardian";
import { isInside } from "../protocol/is-inside.ts";
import type { Tool } from "./tool.ts";

/** What a call does, as far as that is known before it runs. */
export interface Footprint {
  readonly isReadOnly: boolean;
  /** Names of resources; absolute paths stand for everything below them. */
  readonly touches: readonly string[];
}

/** Work to schedule. */
export interface Task<Result> {
  readonly footprint: Footprint;
  run(): Promise<Result>;
}

const readOnlyKinds: ReadonlySet<string> = new Set(["read", "poll", "think", "wait"]);

/** The footprint of a call. A tool whose `touches` throws counts as touching everything. */
export function footprint(tool: Tool, input: unknown): Footprint {
  const isReadOnly = readOnlyKinds.has(tool.kind ?? inferKind(tool.name, input));
  try {
    return { isReadOnly, touches: tool.touches?.(input) ?? [] };
  } catch {
    return { isReadOnly, touches: ["/"] };
  }
}

/**
 * Runs each task as soon as the earlier tasks it conflicts with have ended and one of `maxParallel` slots is free.
 * Results come in the order of the tasks.
 */
export async function schedule<Result>(
  tasks: readonly Task<Result>[],
  { parallel, maxParallel }: { readonly parallel: boolean; readonly maxParallel: number },
): Promise<Result[]> {
  const acquireSlot = createSlots(parallel ? Math.max(1, maxParallel) : 1);
  const scheduled: { readonly task: Task<Result>; readonly result: Promise<Result> }[] = [];
  for (const task of tasks) {
    const blockers = scheduled.filter((earlier) => !parallel || isConflict(earlier.task.footprint, task.footprint));
    const start = async () => {
      await Promise.all(blockers.map(({ result }) => result));
      const releaseSlot = await acquireSlot();
      try {
        return await task.run();
      } finally {
        releaseSlot();
      }
    };
    scheduled.push({ task, result: start() });
  }
  return Promise.all(scheduled.map(({ result }) => result));
}

/** Two calls conflict when they share a resource and at least one of them changes it. */
function isConflict(a: Footprint, b: Footprint): boolean {
  if (a.isReadOnly && b.isReadOnly) return false;
  return a.touches.some((one) => b.touches.some((other) => isShared(one, other)));
}

function isShared(a: string, b: string): boolean {
  return a === b || (isAbsolute(a) && isAbsolute(b) && (isInside(a, b) || isInside(b, a)));
}

/** A semaphore: slots are granted in the order of the requests. The returned function takes one and releases it. */
function createSlots(count: number): () => Promise<() => void> {
  let free = count;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return async () => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return release;
  };
}
