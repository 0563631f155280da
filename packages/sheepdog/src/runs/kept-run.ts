import { type AgentEvent, isHeld, type SavedRun, type SavedSession, type SessionSummary, type Stores } from "@sheepdog/agent";
import { type Level, levels } from "@sheepdog/guardian";

/** The state of a run, as far as one can tell from outside. `broken_off`: it goes on by the books, and nobody works on it. */
export type KeptState = SavedRun["state"] | "broken_off";

/** A run as it is kept. */
export interface KeptRun {
  readonly sessionId: string;
  readonly run: SavedRun;
  readonly state: KeptState;
  readonly turns: number;
  /** With its sub-agents; null where a price is unknown. */
  readonly costNanoUsd: number | null;
  readonly interventions: { readonly count: number; readonly highest: Level | undefined };
  /** Where it is not the last one of its session, it is that one that would be gone on with. */
  readonly isLast: boolean;
  readonly children: readonly KeptRun[];
}

/** What is known of all sessions when one of them is looked at. */
export interface Around {
  readonly stores: Stores;
  readonly at: number;
  /** Sessions of sub-agents, by the session that pays for them. */
  readonly children: ReadonlyMap<string, readonly SessionSummary[]>;
}

/** The runs of a session, oldest first. Reads all of it. */
export async function keptRuns(summary: SessionSummary, around: Around): Promise<readonly KeptRun[]> {
  const { sessionId } = summary;
  const saved = await around.stores.sessions.load(sessionId);
  const events = await around.stores.events.after(sessionId, 0);
  const runs: KeptRun[] = [];
  for (const [place, run] of saved.runs.entries()) {
    const until = saved.runs[place + 1]?.startedAt ?? Number.POSITIVE_INFINITY;
    const children: KeptRun[] = [];
    for (const child of around.children.get(sessionId) ?? [])
      if (startOf(child) >= run.startedAt && startOf(child) < until) children.push(...(await keptRuns(child, { ...around, children: new Map() }))); // they all have the same payer
    runs.push(await keptRun({ summary, saved, run, events, children }, around));
  }
  return runs;
}

interface Found {
  readonly summary: SessionSummary;
  readonly saved: SavedSession;
  readonly run: SavedRun;
  readonly events: readonly AgentEvent[];
  readonly children: readonly KeptRun[];
}

async function keptRun({ summary, saved, run, events, children }: Found, { stores, at }: Around): Promise<KeptRun> {
  const { sessionId } = summary;
  const { runId } = run;
  const isLast = saved.runs.at(-1) === run;
  const isOver = run.endedAt !== undefined;
  const turns = !isOver && saved.checkpoint?.runId === runId ? saved.checkpoint.turn : run.turns;
  const own = isOver ? run.costNanoUsd : await booked(stores, run.bookedTo ?? sessionId, runId);
  const costs = [own, ...children.map(({ costNanoUsd }) => costNanoUsd)];
  return {
    sessionId,
    run,
    state: isOver ? run.state : liveState(summary, saved, at),
    turns,
    costNanoUsd: costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0),
    interventions: interventionsIn(events, runId),
    isLast,
    children,
  };
}

/** The books know more than a run that goes on has written down of itself. */
async function booked(stores: Stores, sessionId: string, runId: string): Promise<number | null> {
  const sum = (await stores.costs.sums("run", { sessionId })).find(({ key }) => key === runId);
  return sum === undefined ? 0 : sum.unpricedTokens > 0 ? null : sum.costNanoUsd;
}

function liveState({ holder, renewedAt }: SessionSummary, { openCalls }: SavedSession, at: number): KeptState {
  if (holder === undefined || !isHeld(holder, renewedAt ?? at, at)) return "broken_off";
  if (openCalls.some(({ state }) => state === "asked")) return "waiting_for_input";
  return openCalls.length > 0 ? "waiting_for_tool" : "running";
}

function interventionsIn(events: readonly AgentEvent[], runId: string): KeptRun["interventions"] {
  const found = events.flatMap((event) => (event.type === "GuardianIntervention" && event.runId === runId ? [event.intervention.level] : []));
  return { count: found.length, highest: levels.findLast((level) => found.includes(level)) };
}

function startOf({ lastRun, createdAt }: SessionSummary): number {
  return lastRun?.startedAt ?? createdAt;
}
