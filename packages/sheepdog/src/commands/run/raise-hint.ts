import type { AgentEvent } from "@sheepdog/agent";
import type { LimitName, Policy } from "@sheepdog/guardian";

/** The money limits, and how `sheepdog budget raise` names them. */
const scopes: readonly { readonly limit: LimitName; readonly scope: string }[] = [
  { limit: "run-cost", scope: "" },
  { limit: "session-cost", scope: "session " },
  { limit: "day-cost", scope: "day " },
  { limit: "month-cost", scope: "month " },
];

/** How to raise a money limit while the run continues; undefined unless the event warns about one. */
export function raiseHint(event: AgentEvent, limits: Policy["limits"]): string | undefined {
  if (event.type !== "BudgetWarning" || event.intervention.isForUser === true) return undefined;
  const money = scopes.find(({ limit }) => limit === event.intervention.detector);
  const stop = money === undefined ? 0 : (limits[money.limit]?.stop ?? 0);
  if (money === undefined || stop === 0) return undefined;
  const dollars = Number(((2 * stop) / 1e9).toFixed(4));
  return `To raise it while the run continues: sheepdog budget raise ${event.runId} ${money.scope}${dollars}`;
}
