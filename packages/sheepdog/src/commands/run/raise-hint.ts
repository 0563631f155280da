import type { AgentEvent } from "@sheepdog/agent";
import type { LimitName, Policy } from "@sheepdog/guardian";

/** How `sheepdog budget raise` names the money limits. */
const scopes: Readonly<Partial<Record<LimitName, string>>> = {
  "run-cost": "",
  "session-cost": "session ",
  "day-cost": "day ",
  "month-cost": "month ",
};

/** How to raise a money limit while the run continues; undefined unless the event warns about one. */
export function raiseHint(event: AgentEvent, limits: Policy["limits"]): string | undefined {
  if (event.type !== "BudgetWarning" || event.intervention.isForUser === true) return undefined;
  const limit = (Object.keys(scopes) as LimitName[]).find((name) => name === event.intervention.detector); // its own keys
  const { stop = 0 } = limit === undefined ? {} : (limits[limit] ?? {});
  if (limit === undefined || stop === 0) return undefined;
  const dollars = Number(((2 * stop) / 1e9).toFixed(4));
  return `To raise it while the run continues: sheepdog budget raise ${event.runId} ${scopes[limit]}${dollars}`;
}
