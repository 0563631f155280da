import {
  type AgentEvent,
  isLeaseActive,
  type LedgerEntry,
  type RunResult,
  type SavedRun,
  type SavedSession,
  type SessionSummary,
  type Stores,
} from "@sheepdog/agent";
import { type Level, levels } from "@sheepdog/guardian";
import { isDemoSession } from "../compose/ids.ts";
import { type ReadableEvents, readableEvents } from "./readable-events.ts";
import { isLive, type SummaryState } from "./run-state.ts";

/** A saved run with its state, cost and interventions. */
export interface RunSummary {
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
  /** The limits that it was started with; absent: none. */
  readonly limits: { readonly costNanoUsd?: number; readonly tokens?: number };
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
  /** Receives each session that is loaded, so that its messages and events need not be loaded again. */
  readonly onLoaded?: (sessionId: string, loaded: LoadedSession) => void;
}

/** A session with all its events that can be read, and the number of those that cannot. */
export interface LoadedSession extends ReadableEvents {
  readonly saved: SavedSession;
}

/** Summarizes the runs of a session, oldest first. Loads the whole session. */
export async function summarizeRuns(session: SessionSummary, context: SummaryContext): Promise<readonly RunSummary[]> {
  const { sessionId } = session;
  const { stores } = context;
  const saved = await stores.sessions.load(sessionId);
  const { events, unreadable } = readableEvents(await stores.events.after(sessionId, 0));
  context.onLoaded?.(sessionId, { saved, events, unreadable });
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
        events,
        subagents: subagents.filter((subagent) => isDuring(subagent.run.startedAt)),
        entries: entries.filter((entry) => entry.runId === run.runId || isOfRemovedSubagent(entry)),
      },
      context.at,
    );
  });
}

interface RunData {
  readonly session: SessionSummary;
  readonly saved: SavedSession;
  readonly run: SavedRun;
  readonly events: readonly AgentEvent[];
  readonly subagents: readonly RunSummary[];
  /** The ledger entries of this run and of subagents whose sessions were removed. */
  readonly entries: readonly LedgerEntry[];
}

function summarizeRun({ session, saved, run, events, subagents, entries }: RunData, at: number): RunSummary {
  const { runId } = run;
  const runEvents = events.filter((event) => event.runId === runId);
  const isEnded = run.endedAt !== undefined;
  const isDemo = isDemoSession(session.sessionId);
  const state = isEnded ? run.state : liveState({ session, saved, events: runEvents }, at);
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
    interventions: interventionsIn(runEvents),
    ended: isEnded ? resultIn(runEvents) : {},
    limits: limitsIn(runEvents),
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

function liveState(
  { session, saved, events }: Pick<RunData, "session" | "saved" | "events">,
  at: number,
): SummaryState {
  const { holder, renewedAt } = session;
  if (holder === undefined || !isLeaseActive(holder, renewedAt ?? at, at)) return "broken_off";
  if (isQuestionOpen(events)) return "waiting_for_input";
  const { unansweredCalls } = saved;
  // Calls start after all approvals of their turn, and a refused call stays unanswered until the turn ends.
  if (unansweredCalls.some(({ state }) => state === "started")) return "waiting_for_tool";
  return unansweredCalls.length > 0 ? "waiting_for_input" : "running";
}

/** Whether the user was asked how the run continues, and has not answered. A resumed run asks again. */
function isQuestionOpen(events: readonly AgentEvent[]): boolean {
  const last = events.findLast(({ type }) => ["RunStarted", "QuestionAsked", "QuestionAnswered"].includes(type));
  return last?.type === "QuestionAsked";
}

function resultIn(events: readonly AgentEvent[]): RunSummary["ended"] {
  const end = events.findLast((event) => event.type === "RunComplete" || event.type === "RunError");
  if (end?.type !== "RunComplete" && end?.type !== "RunError") return {};
  const { interventions, neededContextTokens, isStoppedByUser } = end.result;
  return {
    interventions,
    ...(neededContextTokens === undefined ? {} : { neededContextTokens }),
    ...(isStoppedByUser === true ? { isStoppedByUser } : {}),
  };
}

function limitsIn(events: readonly AgentEvent[]): RunSummary["limits"] {
  const start = events.findLast((event) => event.type === "RunStarted");
  if (start?.type !== "RunStarted") return {};
  const costNanoUsd = start.limits?.["run-cost"]?.stop ?? 0;
  const tokens = start.limits?.["run-tokens"]?.stop ?? 0;
  return { ...(costNanoUsd === 0 ? {} : { costNanoUsd }), ...(tokens === 0 ? {} : { tokens }) };
}

function interventionsIn(events: readonly AgentEvent[]): RunSummary["interventions"] {
  const all = events.flatMap((event) => (event.type === "GuardianIntervention" ? [event.intervention] : []));
  return {
    count: new Set(all.map(({ id }) => id)).size, // a question that is asked again has its intervention twice
    highest: levels.findLast((level) => all.some((intervention) => intervention.level === level)),
    questions: events.filter(({ type }) => type === "QuestionAsked").length,
  };
}
