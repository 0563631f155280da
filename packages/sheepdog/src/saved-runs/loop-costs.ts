import type { Stores } from "@sheepdog/agent";
import { isDemoSession } from "../compose/ids.ts";
import { counted, dollars } from "../render/terminal/amounts.ts";
import { numberedCalls } from "./notice-effect.ts";
import { readableEvents } from "./readable-events.ts";
import { paidLoops } from "./trace/paid-loops.ts";

/** What the loops that the guardian noticed have cost. */
export interface LoopCosts {
  readonly loops: number;
  /** Without the loops whose cost is unknown. */
  readonly costNanoUsd: number;
  /** Loops of runs without a known price. */
  readonly unknown: number;
}

/** Adds up the loops of all saved sessions that lasted until then or longer, and what was paid for them since then. */
export async function loopCosts(stores: Stores, since = Number.NEGATIVE_INFINITY): Promise<LoopCosts> {
  const costs: (number | undefined)[] = [];
  for (const { sessionId, updatedAt } of await stores.sessions.list()) {
    if (isDemoSession(sessionId) || updatedAt < since) continue; // nothing was paid for a demo
    costs.push(...(await sessionLoops(stores, sessionId, since)));
  }
  const known = costs.filter((cost) => cost !== undefined);
  return {
    loops: costs.length,
    costNanoUsd: known.reduce((sum, cost) => sum + cost, 0),
    unknown: costs.length - known.length,
  };
}

/** The cost of each loop of a session; undefined if it is unknown. Messages are read only if there was a loop. */
async function sessionLoops(
  stores: Stores,
  sessionId: string,
  since: number,
): Promise<readonly (number | undefined)[]> {
  const { events } = readableEvents(await stores.events.after(sessionId, 0));
  const runIds = new Set(events.flatMap(({ type, runId }) => (type === "GuardianIntervention" ? [runId] : [])));
  if (runIds.size === 0) return [];
  const calls = numberedCalls((await stores.sessions.load(sessionId)).messages);
  return [...runIds]
    .flatMap((runId) => paidLoops(runId, events, calls).loops)
    .filter(({ loop }) => loop.to >= since)
    .map(({ nanoUsd, requests }) =>
      nanoUsd === undefined
        ? undefined
        : requests.reduce((sum, request) => (request.at >= since ? sum + request.nanoUsd : sum), 0),
    );
}

/** A sentence about loops; undefined if the guardian noticed none. */
export function loopSentence({ loops, costNanoUsd, unknown }: LoopCosts): string | undefined {
  if (loops === 0) return undefined;
  const noticed = `The guardian noticed ${counted(loops, "loop")}.`;
  if (unknown === loops) return `${noticed} What ${loops === 1 ? "it" : "they"} cost is unknown.`;
  const cost = dollars(costNanoUsd / 1e9);
  if (loops === 1) return `${noticed} It cost ${cost}.`;
  const rest = unknown === 0 ? "" : ` This does not include ${unknown} of them, whose cost is unknown.`;
  return `${noticed} Together they cost ${cost}.${rest}`;
}

/** The same as JSON. `costUsd` is null if the cost of no loop is known. */
export function loopDocument({ loops, costNanoUsd, unknown }: LoopCosts): Readonly<Record<string, unknown>> {
  return { episodes: loops, unknown, costUsd: loops > 0 && unknown === loops ? null : costNanoUsd / 1e9 };
}
