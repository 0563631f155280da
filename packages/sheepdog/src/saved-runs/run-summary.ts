import {
  type AgentEvent,
  isLeaseActive,
  type LedgerEntry,
  type SavedRun,
  type SavedSession,
  type SessionSummary,
  type Stores,
} from "@sheepdog/agent";
import { type Level, levels } from "@sheepdog/guardian";
import { isLive } from "./run-state.ts";

/** The state of a run, as far as one can tell from outside. `broken_off`: it goes on by the books, and nobody works on it. */
export type SummaryState = SavedRun["state"] | "broken_off";

/** A run as it is kept. */
export interface RunSummary {
  readonly sessionId: string;
  readonly run: SavedRun;
  readonly state: SummaryState;
  readonly turns: number;
  /** With its subagents; null where a price is unknown. */
  readonly costNanoUsd: number | null;
  readonly interventions: { readonly count: number; readonly highest: Level | undefined };
  /** Where it is not the last one of its session, it is that one that would be gone on with. */
  readonly isLast: boolean;
  readonly subagents: readonly RunSummary[];
}

/** What is known of all sessions when one of them is looked at. */
export interface Around {
  readonly stores: Stores;
  readonly at: number;
  /** Sessions of subagents, by the session that pays for them. */
  readonly children: ReadonlyMap<string, readonly SessionSummary[]>;
  /** Their payer's books, where they are subagents. */
  readonly rows?: readonly LedgerEntry[];
}

/** The runs of a session, oldest first. Reads all of it. */
export async function summarizeRuns(summary: SessionSummary, around: Around): Promise<readonly RunSummary[]> {
  const { sessionId } = summary;
  const { stores } = around;
  const saved = await stores.sessions.load(sessionId);
  const events = await stores.events.after(sessionId, 0);
  const rows = around.rows ?? (await stores.costs.rows(saved.runs.at(-1)?.billingSessionId ?? sessionId));
  const below: RunSummary[] = [];
  for (const child of around.children.get(sessionId) ?? [])
    below.push(...(await summarizeRuns(child, { ...around, children: new Map(), rows }))); // they all have the same payer
  const known = new Set([...saved.runs, ...below.map(({ run }) => run)].map(({ runId }) => runId));
  return saved.runs.map((run, place) => {
    const until = saved.runs[place + 1]?.startedAt ?? Number.POSITIVE_INFINITY;
    const isWithin = (at: number) => at >= run.startedAt && at < until;
    const gone =
      run.billingSessionId === undefined ? rows.filter(({ runId, at }) => !known.has(runId) && isWithin(at)) : []; // of subagents whose sessions were removed
    const children = below.filter((child) => isWithin(child.run.startedAt));
    return keptRun(
      { summary, saved, run, events, children, rows: [...rows.filter(({ runId }) => runId === run.runId), ...gone] },
      around,
    );
  });
}

interface Found {
  readonly summary: SessionSummary;
  readonly saved: SavedSession;
  readonly run: SavedRun;
  readonly events: readonly AgentEvent[];
  readonly children: readonly RunSummary[];
  /** What is in the books of it, and of nobody else who is kept. */
  readonly rows: readonly LedgerEntry[];
}

function keptRun({ summary, saved, run, events, children, rows }: Found, { at }: Around): RunSummary {
  const { sessionId } = summary;
  const { runId } = run;
  const isOver = run.endedAt !== undefined;
  const state = isOver ? run.state : liveState(summary, saved, at);
  const costs = [
    ...(isOver ? [run.costNanoUsd] : []),
    ...booked(rows, { run, state }),
    ...children.map(({ costNanoUsd }) => costNanoUsd),
  ];
  return {
    sessionId,
    run,
    state,
    turns: !isOver && saved.checkpoint?.runId === runId ? saved.checkpoint.turn : run.turns,
    costNanoUsd: costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0),
    interventions: interventionsIn(events, runId),
    isLast: saved.runs.at(-1) === run,
    subagents: children,
  };
}

/**
 * The books know more than a run that goes on has written down of itself. What is set aside for a request under way is not spent yet; where nobody is left to
 * say what a request cost, it is.
 */
function booked(
  rows: readonly LedgerEntry[],
  { run, state }: { readonly run: SavedRun; readonly state: SummaryState },
): readonly (number | null)[] {
  const isUnderWay = (row: LedgerEntry) => isLive(state) && row.state === "reserved";
  const isTold = (row: LedgerEntry) => run.endedAt !== undefined && row.runId === run.runId;
  return rows.filter((row) => !isUnderWay(row) && !isTold(row)).map(({ costNanoUsd }) => costNanoUsd);
}

function liveState({ holder, renewedAt }: SessionSummary, { unansweredCalls }: SavedSession, at: number): SummaryState {
  if (holder === undefined || !isLeaseActive(holder, renewedAt ?? at, at)) return "broken_off";
  if (unansweredCalls.some(({ state }) => state === "asked")) return "waiting_for_input";
  return unansweredCalls.length > 0 ? "waiting_for_tool" : "running";
}

function interventionsIn(events: readonly AgentEvent[], runId: string): RunSummary["interventions"] {
  const found = events.flatMap((event) =>
    event.type === "GuardianIntervention" && event.runId === runId ? [event.intervention.level] : [],
  );
  return { count: found.length, highest: levels.findLast((level) => found.includes(level)) };
}
