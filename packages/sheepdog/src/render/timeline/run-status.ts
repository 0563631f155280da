import type { AgentEvent } from "@sheepdog/agent";
import type { CallItem } from "./item.ts";
import { continueWaiting, type Waiting, waitingAfter } from "./waiting.ts";

/** What a run is doing now, and what it has used so far. */
export interface RunStatus {
  readonly waiting: Waiting;
  /** The running calls. */
  readonly calls: readonly CallItem[];
  readonly tokens: number;
  /** null if a price is unknown. */
  readonly costNanoUsd: number | null;
}

/** Before the first event. */
export const initialStatus: RunStatus = { waiting: { for: "nothing" }, calls: [], tokens: 0, costNanoUsd: 0 };

/** The status after an event that arrived at `now`, with the calls that are running then. */
export function nextStatus(
  status: RunStatus,
  event: AgentEvent,
  { calls, now }: { readonly calls: readonly CallItem[]; readonly now: number },
): RunStatus {
  return {
    waiting: continueWaiting(status.waiting, waitingAfter(event, now)),
    calls,
    tokens: event.type === "UsageUpdate" ? event.total.input + event.total.output : status.tokens,
    costNanoUsd: event.type === "CostEvent" ? event.totalNanoUsd : status.costNanoUsd,
  };
}
