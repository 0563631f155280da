import type { AgentEvent } from "@sheepdog/agent";
import type { CallItem } from "@sheepdog/agent/timeline";
import { continueWaiting, type Waiting, waitingAfter } from "./waiting.ts";

/** What a run is doing now, and what it has used so far. */
export interface RunStatus {
  readonly waiting: Waiting;
  /** The running calls. */
  readonly calls: readonly CallItem[];
  readonly tokens: number;
  /** Of its own requests; null if a price is unknown. */
  readonly costNanoUsd: number | null;
  /** Of the nodes of a director that have ended; null if a price is unknown. */
  readonly nodesNanoUsd: number | null;
  /** The plan that a director executes. */
  readonly plan?: PlanProgress;
}

/** The nodes of a plan, by id. */
export interface PlanProgress {
  readonly total: number;
  readonly ended: readonly string[];
  readonly running: readonly string[];
}

/** Before the first event. */
export const initialStatus: RunStatus = {
  waiting: { for: "nothing" },
  calls: [],
  tokens: 0,
  costNanoUsd: 0,
  nodesNanoUsd: 0,
};

/** The status after an event that arrived at `now`, with the calls that are running then. */
export function nextStatus(
  status: RunStatus,
  event: AgentEvent,
  { calls, now }: { readonly calls: readonly CallItem[]; readonly now: number },
): RunStatus {
  const plan = nextPlan(status.plan, event);
  return {
    ...(plan === undefined ? {} : { plan }),
    waiting: continueWaiting(status.waiting, waitingAfter(event, now)),
    calls,
    tokens: event.type === "UsageUpdate" ? event.total.input + event.total.output : status.tokens,
    costNanoUsd: event.type === "CostEvent" ? event.totalNanoUsd : status.costNanoUsd,
    nodesNanoUsd: event.type === "NodeComplete" ? sumOf(status.nodesNanoUsd, event.costNanoUsd) : status.nodesNanoUsd,
  };
}

function sumOf(one: number | null, other: number | null | undefined): number | null {
  return one === null || other === null ? null : one + (other ?? 0);
}

/** The cost so far, with the nodes of a director; null if a price is unknown. */
export function costSoFar({ costNanoUsd, nodesNanoUsd }: RunStatus): number | null {
  return sumOf(costNanoUsd, nodesNanoUsd);
}

/** The progress of a plan after an event. It ends with the turn in which the plan is executed. */
function nextPlan(plan: PlanProgress | undefined, event: AgentEvent): PlanProgress | undefined {
  switch (event.type) {
    case "GraphGenerated":
      return { total: event.nodes.length, ended: event.kept, running: [] };
    case "NodeStarted":
      return plan && { ...plan, running: [...plan.running.filter((id) => id !== event.nodeId), event.nodeId] };
    case "NodeComplete":
      return (
        plan && {
          ...plan,
          ended: [...plan.ended.filter((id) => id !== event.nodeId), event.nodeId],
          running: plan.running.filter((id) => id !== event.nodeId),
        }
      );
    case "TurnComplete":
      return undefined;
    default:
      return plan;
  }
}
