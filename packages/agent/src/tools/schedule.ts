import { isAbsolute } from "node:path";
import { isInside } from "./paths.ts";
import type { Tool } from "./tool.ts";

/** What is known of a call before it runs: whether it only looks, and what it touches. */
export interface Footprint {
  readonly isRead: boolean;
  readonly touches: readonly string[];
}

/** Something to run, and what is known of it before. */
export interface Task<Result> {
  readonly footprint: Footprint;
  run(): Promise<Result>;
}

/** The footprint of a call. A tool that cannot say what it touches is taken to touch everything. */
export function footprint(tool: Tool, input: unknown): Footprint {
  const isRead = tool.kind === "read" || tool.kind === "poll" || tool.kind === "think" || tool.kind === "wait";
  try {
    return { isRead, touches: tool.touches?.(input) ?? [] };
  } catch {
    return { isRead, touches: ["/"] };
  }
}

/** Whether two calls have to be run one after the other: they touch the same thing, or one a folder of the other's, and not both only look. */
function isConflict(a: Footprint, b: Footprint): boolean {
  if (a.isRead && b.isRead) return false;
  return a.touches.some((one) => b.touches.some((other) => isShared(one, other)));
}

function isShared(a: string, b: string): boolean {
  return a === b || (isAbsolute(a) && isAbsolute(b) && (isInside(a, b) || isInside(b, a)));
}

/** Runs tasks, each when those it has to wait for are done and one of `maxParallel` places is free. The results are in the order of the tasks. */
export async function schedule<Result>(
  tasks: readonly Task<Result>[],
  { parallel, maxParallel }: { readonly parallel: boolean; readonly maxParallel: number },
): Promise<Result[]> {
  const takePlace = places(parallel ? Math.max(1, maxParallel) : 1);
  const running: Promise<Result>[] = [];
  for (const [place, task] of tasks.entries()) {
    const before = running.filter((_, other) => {
      const earlier = tasks[other];
      return other < place && (!parallel || (earlier !== undefined && isConflict(earlier.footprint, task.footprint)));
    });
    running.push(
      (async () => {
        await Promise.all(before);
        const leave = await takePlace();
        try {
          return await task.run();
        } finally {
          leave();
        }
      })(),
    );
  }
  return Promise.all(running);
}

/** So many places, given in the order they are asked for. */
function places(count: number): () => Promise<() => void> {
  let free = count;
  const waiting: (() => void)[] = [];
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  };
  return async () => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return leave;
  };
}
