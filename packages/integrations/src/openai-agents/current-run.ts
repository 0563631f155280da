import { AsyncLocalStorage } from "node:async_hooks";
import type { LoopGuard } from "../guard/loop-guard.ts";
import type { PlacedNotice } from "../guard/placed-notice.ts";
import type { UsageReader } from "./usage-reader.ts";

/** What guarded tools and requests need of the run that makes them. */
export interface CurrentRun {
  readonly loop: LoopGuard;
  readonly usage: UsageReader;
  placed: readonly PlacedNotice[];
}

/** The run that is being executed. Agents and tools are shared by runs, so they cannot hold the guard of one. */
export const currentRun: AsyncLocalStorage<CurrentRun> = new AsyncLocalStorage();
