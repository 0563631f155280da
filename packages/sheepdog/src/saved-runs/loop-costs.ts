import type { AgentEvent, Stores } from "@sheepdog/agent";
import { episodeOf } from "@sheepdog/guardian";
import { isDemoSession } from "../compose/ids.ts";
import { counted, dollars } from "../render/terminal/amounts.ts";
import { isLimit } from "../render/timeline/is-limit.ts";

/** What the loops that the guardian noticed have cost, each up to its last intervention. */
export interface LoopCosts {
  readonly episodes: number;
  /** Without the episodes whose cost is unknown. */
  readonly costNanoUsd: number;
  /** Episodes of runs without a known price. */
  readonly unknown: number;
}

/** Adds up the interventions of all saved sessions since then. */
export async function loopCosts(stores: Stores, since = Number.NEGATIVE_INFINITY): Promise<LoopCosts> {
  const costs: (number | undefined)[] = [];
  for (const { sessionId, updatedAt } of await stores.sessions.list()) {
    if (isDemoSession(sessionId) || updatedAt < since) continue; // nothing was paid for a demo
    costs.push(...episodeCosts(await stores.events.after(sessionId, 0), since).values());
  }
  const known = costs.filter((cost) => cost !== undefined);
  return {
    episodes: costs.length,
    costNanoUsd: known.reduce((sum, cost) => sum + cost, 0),
    unknown: costs.length - known.length,
  };
}

/** The cost of each episode of a session by run and episode, up to its last intervention; undefined if unknown. */
function episodeCosts(
  events: readonly AgentEvent[],
  since = Number.NEGATIVE_INFINITY,
): ReadonlyMap<string, number | undefined> {
  const episodes = new Map<string, number | undefined>();
  const unpriced = unpricedRuns(events);
  for (const event of events) if (event.at >= since) addIntervention(episodes, event, !unpriced.has(event.runId));
  return episodes;
}

/** The runs with a request whose price is unknown. */
function unpricedRuns(events: readonly AgentEvent[]): ReadonlySet<string> {
  return new Set(
    events.flatMap((event) => (event.type === "CostEvent" && event.costNanoUsd === null ? [event.runId] : [])),
  );
}

/** The cost of an episode grows with each intervention, so the highest one counts. */
function addIntervention(episodes: Map<string, number | undefined>, event: AgentEvent, isPriced: boolean): void {
  if (event.type !== "GuardianIntervention" || isLimit(event.intervention.detector)) return;
  const { id } = event.intervention;
  const costNanoUsd = isPriced ? event.intervention.costNanoUsd : undefined;
  const key = `${event.runId} ${episodeOf(id)}`;
  const highest = Math.max(costNanoUsd ?? -1, episodes.get(key) ?? -1);
  episodes.set(key, highest < 0 ? undefined : highest);
}

/** A sentence about loops; undefined if the guardian noticed none. */
export function loopSentence({ episodes, costNanoUsd, unknown }: LoopCosts): string | undefined {
  if (episodes === 0) return undefined;
  const noticed = `The guardian noticed ${counted(episodes, "loop")}.`;
  if (unknown === episodes) return `${noticed} What ${episodes === 1 ? "it" : "they"} cost is unknown.`;
  const cost = dollars(costNanoUsd / 1e9);
  if (episodes === 1) return `${noticed} It had cost ${cost} when the guardian last intervened.`;
  const rest = unknown === 0 ? "" : ` This does not include ${unknown} of them, whose cost is unknown.`;
  return `${noticed} Together they had cost ${cost} when the guardian last intervened in each.${rest}`;
}

/** The same as JSON. `costUsd` is null if the cost of no loop is known. */
export function loopDocument({ episodes, costNanoUsd, unknown }: LoopCosts): Readonly<Record<string, unknown>> {
  return { episodes, unknown, costUsd: episodes > 0 && unknown === episodes ? null : costNanoUsd / 1e9 };
}
