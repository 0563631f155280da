import {
  isLeaseActive,
  type LedgerEntry,
  type RunResult,
  type SavedRun,
  type SavedSession,
  type SessionSummary,
  type Stores,
} from "@sheepdog/agent";
import type { Level } from "@sheepdog/guardian";
import { isDemoSession } from "../compose/ids.ts";
import { type EventFacts, factsByRun, noFacts } from "./event-facts.ts";
import { type ReadableEvents, readableEvents } from "./readable-events.ts";
import { isLive, type SummaryState } from "./run-state.ts";

/** A saved run with its state, cost and interventions. */
export interface RunSummary {
  /** The id of the agent whose session hooks recorded; absent for runs of Sheepdog. */
  readonly agent?: string;
  readonly sessionId: string;
  readonly run: SavedRun;
  readonly state: SummaryState;
  readonly turns: number;
  /** Includes subagents; null if a price is unknown. */
  readonly costNanoUsd: number | null;
  readonly interventions: {
    readonly count: number;
    readonly highest: Level | undefined;
    /** How often the user was asked how the run continues. */
    readonly questions: number;
  };
  /** From its result: who ended it, and what is needed to raise the limit that did. Empty while it has no result. */
  readonly ended: Partial<Pick<RunResult, "interventions" | "neededContextTokens" | "isStoppedByUser">>;
  /** The limits in force: those that it was started with, as far as the user has not changed them. Absent: none. */
  readonly limits: { readonly costNanoUsd?: number };
  /** Whether it is the last run of its session: only that one can be resumed. */
  readonly isLast: boolean;
  readonly subagents: readonly RunSummary[];
  /** A run of `sheepdog demo`: nothing was paid for it, so its cost is 0. */
  readonly isDemo: boolean;
}

/** What summarizing a session needs to know about the other sessions. */
export interface SummaryContext {
  readonly stores: Stores;
  readonly at: number;
  /** The sessions of subagents, by the session that pays for them. */
  readonly subagents: ReadonlyMap<string, readonly SessionSummary[]>;
  /** The ledger of the payer, if the session is a subagent's. */
  readonly entries?: readonly LedgerEntry[];
  /** Reads a session in place of loading it as a whole. */
  readonly readSession?: (session: SessionSummary) => Promise<SummarySource>;
  /** Receives each session that is loaded, so that its messages and events need not be loaded again. */
  readonly onLoaded?: (sessionId: string, loaded: LoadedSession) => void;
}

/** A session with all its events that can be read, and the number of those that cannot. */
export interface LoadedSession extends ReadableEvents {
  readonly saved: SavedSession;
}

/** What the summaries of a session are made from. */
interface SummarySource {
  readonly saved: Pick<SavedSession, "runs" | "unansweredCalls" | "checkpoint">;
  /** By run id. */
  readonly facts: ReadonlyMap<string, EventFacts>;
}

/** Summarizes the runs of a session, oldest first. Loads the whole session, unless `readSession` does otherwise. */
export async function summarizeRuns(session: SessionSummary, context: SummaryContext): Promise<readonly RunSummary[]> {
  const { sessionId } = session;
  const { stores } = context;
  const { saved, facts } = await (context.readSession?.(session) ?? loadWhole(sessionId, context));
  const payer = saved.runs.at(-1)?.billingSessionId ?? sessionId;
  const entries = context.entries ?? (await stores.costs.rows(payer));
  const subagents: RunSummary[] = [];
  for (const subagent of context.subagents.get(sessionId) ?? [])
    subagents.push(...(await summarizeRuns(subagent, { ...context, subagents: new Map(), entries }))); // same payer
  const savedRunIds = new Set([...saved.runs, ...subagents.map(({ run }) => run)].map(({ runId }) => runId));
  return saved.runs.map((run, index) => {
    const nextStartedAt = saved.runs[index + 1]?.startedAt ?? Number.POSITIVE_INFINITY;
    const isDuring = (at: number) => at >= run.startedAt && at < nextStartedAt;
    const isOfRemovedSubagent = ({ runId, at }: LedgerEntry) =>
      run.billingSessionId === undefined && !savedRunIds.has(runId) && isDuring(at);
    return summarizeRun(
      {
        session,
        saved,
        run,
        facts: facts.get(run.runId) ?? noFacts(),
        subagents: subagents.filter((subagent) => isDuring(subagent.run.startedAt)),
        entries: entries.filter((entry) => entry.runId === run.runId || isOfRemovedSubagent(entry)),
      },
      context.at,
    );
  });
}

async function loadWhole(sessionId: string, { stores, onLoaded }: SummaryContext): Promise<SummarySource> {
  const saved = await stores.sessions.load(sessionId);
  const { events, unreadable } = readableEvents(await stores.events.after(sessionId, 0));
  onLoaded?.(sessionId, { saved, events, unreadable });
  return { saved, facts: factsByRun(events) };
}

interface RunData {
  readonly session: SessionSummary;
  readonly saved: SummarySource["saved"];
  readonly run: SavedRun;
  readonly facts: EventFacts;
  readonly subagents: readonly RunSummary[];
  /** The ledger entries of this run and of subagents whose sessions were removed. */
  readonly entries: readonly LedgerEntry[];
}

function summarizeRun({ session, saved, run, facts, subagents, entries }: RunData, at: number): RunSummary {
  const { runId } = run;
  const isEnded = run.endedAt !== undefined;
  const isDemo = isDemoSession(session.sessionId);
  const endedState = run.reason === "broken_off" ? "broken_off" : run.state;
  const state = isEnded ? endedState : liveState({ session, saved, facts }, at);
  const costs = [
    ...(isEnded ? [run.costNanoUsd] : []),
    ...ledgerCosts(entries, run, state),
    ...subagents.map(({ costNanoUsd }) => costNanoUsd),
  ];
  return {
    sessionId: session.sessionId,
    run,
    state,
    turns: !isEnded && saved.checkpoint?.runId === runId ? saved.checkpoint.turn : run.turns,
    costNanoUsd: isDemo ? 0 : costs.reduce((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0),
    interventions: { count: facts.interventionIds.size, highest: facts.highest, questions: facts.questions },
    ended: isEnded ? endedOf(facts) : {},
    limits: limitsOf(facts),
    isLast: saved.runs.at(-1) === run,
    subagents,
    isDemo,
  };
}

/**
 * The costs that the saved run does not include. A run that has not ended has its costs in the ledger only. A
 * reservation of a live run is not spent yet; after a crash it counts as spent.
 */
function ledgerCosts(entries: readonly LedgerEntry[], run: SavedRun, state: SummaryState): readonly (number | null)[] {
  const isInProgress = (entry: LedgerEntry) => isLive(state) && entry.state === "reserved";
  const isIncluded = (entry: LedgerEntry) => run.endedAt !== undefined && entry.runId === run.runId;
  return entries.filter((entry) => !isInProgress(entry) && !isIncluded(entry)).map(({ costNanoUsd }) => costNanoUsd);
}

function liveState({ session, saved, facts }: Pick<RunData, "session" | "saved" | "facts">, at: number): SummaryState {
  const { holder, renewedAt } = session;
  if (holder === undefined || !isLeaseActive(holder, renewedAt ?? at, at)) return "broken_off";
  if (facts.isQuestionOpen) return "waiting_for_input";
  const { unansweredCalls } = saved;
  // Calls start after all approvals of their turn, and a refused call stays unanswered until the turn ends.
  if (unansweredCalls.some(({ state }) => state === "started")) return "waiting_for_tool";
  return unansweredCalls.length > 0 ? "waiting_for_input" : "running";
}

function endedOf({ result }: EventFacts): RunSummary["ended"] {
  if (result === undefined) return {};
  const { interventions, neededContextTokens, isStoppedByUser } = result;
  return {
    interventions,
    ...(neededContextTokens === undefined ? {} : { neededContextTokens }),
    ...(isStoppedByUser === true ? { isStoppedByUser } : {}),
  };
}

function limitsOf({ limits }: EventFacts): RunSummary["limits"] {
  const costNanoUsd = limits?.["run-cost"]?.stop ?? 0;
  return costNanoUsd === 0 ? {} : { costNanoUsd };
}
