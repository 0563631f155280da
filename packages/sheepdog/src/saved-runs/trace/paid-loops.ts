import type { AgentEvent } from "@sheepdog/agent";
import type { NumberedCall } from "../notice-effect.ts";
import { joinedLoops, type Loop, loopsOf } from "./loops.ts";
import { readTrace } from "./read-trace.ts";
import type { RunTrace } from "./run-trace.ts";

/** A request within the time of a loop. */
interface LoopRequest {
  readonly at: number;
  readonly model: string;
  readonly nanoUsd: number;
}

/** A loop with the requests that it cost. Each request of a run belongs to one loop at most. */
export interface PaidLoop {
  readonly loop: Loop;
  /** Empty if a price is unknown. */
  readonly requests: readonly LoopRequest[];
  /** The sum of the requests; undefined if a price is unknown. */
  readonly nanoUsd: number | undefined;
}

/**
 * The loops of a run with what each cost: everything that was paid from the end of its first call to its last. Every
 * amount about loops is made of these. `calls` are the calls of the session, as the guardian counts them.
 */
export function paidLoops(
  runId: string,
  events: readonly AgentEvent[],
  calls: readonly NumberedCall[],
): { readonly loops: readonly PaidLoop[]; readonly trace: RunTrace } {
  const own = events.filter((event) => event.runId === runId);
  const trace = readTrace(own);
  const requests = own.flatMap((event): readonly LoopRequest[] => {
    if (event.type !== "CostEvent" || typeof event.costNanoUsd !== "number") return [];
    return [{ at: event.at, model: event.model, nanoUsd: Math.max(0, event.costNanoUsd) }];
  });
  const loops = joinedLoops(loopsOf(trace, calls), trace).map((loop): PaidLoop => {
    if (loop.costNanoUsd === null) return { loop, requests: [], nanoUsd: undefined };
    const within = requests.filter(({ at }) => at > loop.from && at <= loop.to);
    return { loop, requests: within, nanoUsd: within.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0) };
  });
  return { loops, trace };
}
