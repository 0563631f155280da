import type { AgentEvent } from "@sheepdog/agent";

/** What each turn of a run cost, in nano-dollars; null where a price is unknown. */
export function turnCosts(events: readonly AgentEvent[], runId: string): ReadonlyMap<number, number | null> {
  const costs = new Map<number, number | null>();
  let turn = 0;
  for (const event of events) {
    if (event.runId !== runId) continue;
    if (event.type === "TurnStarted") turn = event.turn;
    if (event.type !== "CostEvent") continue;
    const before = costs.has(turn) ? costs.get(turn) : 0;
    costs.set(
      turn,
      before === null || before === undefined || event.costNanoUsd === null ? null : before + event.costNanoUsd,
    );
  }
  return costs;
}
