import type { AgentEvent } from "@sheepdog/agent";

/** The cost of each turn of a run, in nano-dollars; null if a price is unknown. */
export function turnCosts(events: readonly AgentEvent[], runId: string): ReadonlyMap<number, number | null> {
  const costs = new Map<number, number | null>();
  let turn = 0;
  for (const event of events) {
    if (event.runId !== runId) continue;
    if (event.type === "TurnStarted") turn = event.turn;
    if (event.type !== "CostEvent") continue;
    const earlier = costs.get(turn) === null ? null : (costs.get(turn) ?? 0);
    costs.set(turn, earlier === null || event.costNanoUsd === null ? null : earlier + event.costNanoUsd);
  }
  return costs;
}
