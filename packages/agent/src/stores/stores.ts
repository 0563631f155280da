import type { GuardianState } from "@sheepdog/guardian";
import type { AuditEntry, AuditOutcome, AuditRow } from "../protocol/audit.ts";
import type { AgentEvent } from "../protocol/events.ts";
import type { Goal } from "../protocol/goal.ts";
import type { Lesson, NewLesson } from "../protocol/lesson.ts";
import type { Message, Usage } from "../protocol/messages.ts";
import type { RecoveryCounts } from "../protocol/recovery-counts.ts";
import type { RequestPurpose } from "../protocol/request-purpose.ts";
import type { Reason, RunState } from "../protocol/result.ts";
import type { RunSpec } from "../protocol/run-spec.ts";

/** The state of a session besides its messages: one small row, overwritten at the end of every turn. */
export interface Checkpoint {
  readonly runId: string;
  readonly turn: number;
  readonly guardian: GuardianState;
  readonly total: Usage;
  readonly costNanoUsd: number | null;
  readonly recoveries: RecoveryCounts;
  /** In a copy of a session that has no run yet: what the last run of the original was started with. */
  readonly spec?: RunSpec;
}

/** A run as it is stored. Its state is `running` until the run ends. */
export interface SavedRun {
  readonly runId: string;
  readonly prompt: string;
  /** The prompt is not among the messages yet, because an interrupted turn has to be finished first. */
  readonly isPromptPending?: boolean;
  readonly goal?: Goal;
  /** The run plans, and other runs do the work. */
  readonly isDirected?: true;
  /** The session that pays for this run. Set only for a subagent's run, whose parent session pays. */
  readonly billingSessionId?: string;
  /** The folder its tools work in. */
  readonly workspace?: string;
  /** The first model of the run's list of models. */
  readonly model?: string;
  /** Unknown if the program that started the run gave none, or if the run was rebuilt from a log without it. */
  readonly spec?: RunSpec;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly state: RunState;
  readonly reason?: Reason;
  /** The answer, or a sentence about why there is none. */
  readonly text?: string;
  readonly turns: number;
  readonly usage: Usage;
  readonly costNanoUsd: number | null;
}

/**
 * A call that was stored before it was executed and has no result yet.
 * `awaiting-approval`: the user was asked and has not answered. `started`: the call may have been executed.
 */
export interface UnansweredCall {
  readonly callId: string;
  readonly tool: string;
  readonly state: "awaiting-approval" | "started";
}

/** A stored session. */
export interface SavedSession {
  readonly messages: readonly Message[];
  readonly checkpoint?: Checkpoint;
  /** Calls of the last reply that have no result, in the order in which they were stored. */
  readonly unansweredCalls: readonly UnansweredCall[];
  /** Oldest first. */
  readonly runs: readonly SavedRun[];
  /** Sequence number of the newest event; 0 when there are no events. */
  readonly lastSeq: number;
}

/** One row in a list of sessions. */
export interface SessionSummary {
  readonly sessionId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly messages: number;
  readonly lastRun?: SavedRun;
  /** The process that has claimed the session. Absent after a release, and when the process is known to have ended. */
  readonly holder?: Holder;
  /** When the holder renewed its lease. After 60 s without a renewal, every process may claim the session. */
  readonly renewedAt?: number;
}

/** A run, and the session that it belongs to. */
export interface RunLocation {
  readonly sessionId: string;
  readonly runId: string;
}

/** A process that writes to sessions. */
export interface Holder {
  /** Unique for all processes, past and present. */
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** Start time as the operating system counts it. Tells a process from a later process with the same pid. */
  readonly processStart?: string;
}

/**
 * The right to write to a session. `fence` grows with every claim, so that the store can refuse a former holder that
 * was wrongly taken for dead.
 */
export interface Lease {
  readonly sessionId: string;
  readonly fence: number;
}

/** The result of a claim: a lease, or the process that holds the session. */
export type Claim = { readonly ok: true; readonly lease: Lease } | { readonly ok: false; readonly holder: Holder };

/** A set of changes that is written in one transaction. */
export interface Commit {
  readonly at: number;
  readonly messages?: readonly Message[];
  /**
   * Calls that are about to be executed, or that wait for approval. A call stops being unanswered when its result is
   * among `messages` of this commit or of a later one.
   */
  readonly unansweredCalls?: readonly UnansweredCall[];
  readonly checkpoint?: Checkpoint;
  readonly run?: SavedRun;
  /** Finished requests. Each replaces the reservation that has the same id. */
  readonly costs?: readonly CostRow[];
  readonly events?: readonly AgentEvent[];
  /** New rows of the audit trail. */
  readonly audit?: readonly AuditRow[];
  /** Lessons that were learned. */
  readonly lessons?: readonly NewLesson[];
}

/** Sessions. Messages are only ever appended, and one process at a time writes to a session. */
export interface SessionStore {
  /**
   * Reads without waiting for writers. A session that was never written is empty. The first `skipMessages` messages are
   * not read: a reader that has them asks for the others only.
   */
  load(sessionId: string, skipMessages?: number): Promise<SavedSession>;
  /**
   * Makes the caller the only writer of the session.
   *
   * A lease ends when it is released, when it was not renewed for 60 s, or at once when its process is known to have
   * ended. The new holder's claim marks the reservations of the former holder as unconfirmed. A claim by the process
   * that already holds the session succeeds and replaces its lease, so a lease that could not be released locks no one
   * out.
   */
  claim(sessionId: string, holder: Holder, at: number): Promise<Claim>;
  /** Returns false when another process has claimed the session, or the lease was released. */
  renew(lease: Lease, at: number): Promise<boolean>;
  /** Does nothing when the lease is no longer valid. */
  release(lease: Lease): Promise<void>;
  /**
   * Writes everything or nothing. The data is durable when the promise resolves.
   * Rejects with `LeaseLostError` when the lease is no longer valid.
   */
  commit(lease: Lease, commit: Commit): Promise<void>;
  /** Sessions with at least one commit, the one that was written last first. */
  list(): Promise<readonly SessionSummary[]>;
  /** Runs whose id starts with a text, in the order of their ids; at most `limit`. Reads no session. */
  findRuns(start: string, limit: number): Promise<readonly RunLocation[]>;
  /**
   * Removes messages, unanswered calls, checkpoint, runs and events. The cost ledger and the audit trail keep their
   * rows, and lessons stay.
   * Rejects while a process holds the session.
   */
  remove(sessionId: string, at: number): Promise<void>;
}

/** Another process writes to the session. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** One request to a model in the cost ledger. */
export interface CostRow {
  readonly id: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly model: string;
  readonly at: number;
  readonly usage: Usage;
  /** null when the price is unknown. */
  readonly costNanoUsd: number | null;
  /** Absent for the request of a turn. */
  readonly purpose?: RequestPurpose;
}

/** The most that a request can have used up to now. */
export interface PossibleUse {
  readonly output: number;
  /** null when the price is unknown. */
  readonly costNanoUsd: number | null;
}

/** A user's correction of an unconfirmed row. */
export interface CostCorrection {
  /** Who corrected it, such as the name of the user at the system. */
  readonly by: string;
  readonly at: number;
  readonly fromNanoUsd: number | null;
}

/**
 * A row as it is read. `unconfirmed`: the process ended before it could settle the request, which therefore counts with
 * the most that it can have used until then, as far as that is known, or with the reserved amount.
 */
export interface LedgerEntry extends CostRow {
  readonly state: "reserved" | "settled" | "unconfirmed";
  readonly correction?: CostCorrection;
}

/** Amounts spent by a session, and by all sessions in a day and a month (UTC), in nano-dollars. */
export interface CostTotals {
  readonly session: number;
  readonly day: number;
  readonly month: number;
  readonly dayName: string;
  readonly monthName: string;
}

/** Spending limits in nano-dollars. Absent or 0 means unlimited. */
export interface MoneyLimits {
  readonly session?: number;
  readonly day?: number;
  readonly month?: number;
}

/**
 * The result of a reservation. `totals` are the amounts already spent. When refused, `limit` names the first limit in
 * the way, and `reserved` is the amount that other requests hold under that limit.
 */
export type ReservationResult =
  | { readonly ok: true; readonly totals: CostTotals }
  | { readonly ok: false; readonly totals: CostTotals; readonly limit: keyof MoneyLimits; readonly reserved: number };

/** Sums of the cost ledger for one key, for example for one model or one day. */
export interface CostSum {
  readonly key: string;
  readonly requests: number;
  readonly costNanoUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Tokens of requests without a price. */
  readonly unpricedTokens: number;
  /** The part of `costNanoUsd` that is unconfirmed or reserved. */
  readonly uncertainNanoUsd: number;
  /** Settled requests whose tokens were counted locally: the provider did not report them. */
  readonly estimatedRequests: number;
}

/**
 * The cost ledger: one row per request, written before the request is sent. A request belongs to the day and month in
 * which it was reserved.
 *
 * A reserved row whose process is known to have ended counts as unconfirmed at once, wherever it is read. If that is
 * not known, as on another machine, it does so when it is older than one hour at the time `at`.
 */
export interface CostStore {
  /**
   * Reserves the maximum cost of a request before it is sent.
   *
   * Granted when the amount fits under every limit beside the spent and the reserved amounts.
   * Rejects when the ledger already has a request with this id. `possible` is recorded with the row.
   */
  reserve(row: CostRow & { readonly possible?: PossibleUse }, limits: MoneyLimits): Promise<ReservationResult>;
  /**
   * Records the most that a reserved request can have used up to now. If its process ends before the request is
   * settled, this amount counts and not the whole reservation. Does nothing for an unknown reservation.
   */
  recordPossibleUse(request: Pick<CostRow, "sessionId" | "id">, possible: PossibleUse): Promise<void>;
  /** The requests in flight of all sessions, oldest first. */
  reserved(at: number): Promise<readonly LedgerEntry[]>;
  /** The unconfirmed rows of all sessions and those that a user has corrected, oldest first. */
  unconfirmed(at?: number): Promise<readonly LedgerEntry[]>;
  /**
   * Settles an unconfirmed row with the amount that a user knows, and records the correction with the row. Returns
   * false when there is no such unconfirmed row.
   */
  settleUnconfirmed(
    request: Pick<CostRow, "sessionId" | "id">,
    correction: { readonly costNanoUsd: number; readonly by: string; readonly at: number },
  ): Promise<boolean>;
  /** What is spent at a time: the session as a whole, and the day and month of that time. */
  totals(sessionId: string, at: number): Promise<CostTotals>;
  /** Sums by session, run, model, purpose, day or month, sorted by key; optionally of one session or since a time. */
  sums(
    by: "session" | "run" | "model" | "purpose" | "day" | "month",
    of?: { readonly sessionId?: string; readonly since?: number; readonly at?: number },
  ): Promise<readonly CostSum[]>;
  /** The rows of a session, oldest first. */
  rows(sessionId: string): Promise<readonly LedgerEntry[]>;
}

/**
 * The events that one commit wrote. Positions grow over all sessions and processes, and are never given out twice.
 * `events` is empty when they cannot be read any more.
 */
export interface EventBatch {
  readonly position: number;
  readonly sessionId: string;
  /** In the order of their sequence numbers. */
  readonly events: readonly AgentEvent[];
}

/**
 * Events of sessions, for subscribers that join late. They are written with the commit of their turn.
 *
 * The batches of all sessions have one order. A batch appears after all batches with a lower position, whichever
 * process writes it, so a reader that asks for batches after its last position misses none. It may get an event again
 * under a higher position, after a damaged database was rebuilt: events are identified by session and sequence number.
 * A removed session takes its batches with it.
 */
export interface EventStore {
  /**
   * Events with a sequence number above `seq`, in order; at most `limit`, if it is given, and no more are read. A
   * reader of pages misses an event that was written behind events with higher numbers, which a run does not do.
   */
  after(sessionId: string, seq: number, limit?: number): Promise<readonly AgentEvent[]>;
  /** Batches with a higher position, in the order in which they were written; at most `limit`. */
  batchesAfter(position: number, limit: number): Promise<readonly EventBatch[]>;
  /** Batches with a lower position, newest first; at most `limit`. */
  batchesBefore(position: number, limit: number): Promise<readonly EventBatch[]>;
  /** The newest position; 0 when there is none. */
  lastPosition(): Promise<number>;
}

/** A fact that is remembered across sessions. */
export interface Fact {
  readonly id: string;
  readonly at: number;
  readonly text: string;
  readonly tags: readonly string[];
}

/** Facts that are found by their words. */
export interface MemoryStore {
  /** Returns the stored fact when one with the same text and tags exists; otherwise writes a new one. */
  write(fact: Omit<Fact, "id">): Promise<Fact>;
  /** The facts that match a query best, best first. */
  search(query: string, limit: number): Promise<readonly Fact[]>;
  /** All facts, newest first. */
  list(): Promise<readonly Fact[]>;
  /** Returns false when the fact is unknown. */
  remove(id: string): Promise<boolean>;
}

/** Which entries of the audit trail to read. */
export interface AuditFilter {
  readonly sessionId?: string;
  readonly runId?: string;
  readonly tool?: string;
  readonly decision?: AuditEntry["decision"];
  /** Only decisions of the gate of at least this tier. */
  readonly minTier?: number;
  readonly outcome?: AuditOutcome;
  /** Only decisions since this time. */
  readonly since?: number;
  /** Only decisions with a higher sequence number. */
  readonly after?: number;
  readonly limit?: number;
}

/** A row of the audit trail as it is read. */
export interface SavedAuditRow {
  readonly seq: number;
  readonly row: AuditRow;
}

/** The audit trail: every decision about a call. Its rows are written with commits, and outlive their sessions. */
export interface AuditStore {
  /** Decisions with their approval and outcome, newest first. */
  list(filter?: AuditFilter): Promise<readonly AuditEntry[]>;
  /** Rows with a higher sequence number, in order, for readers that follow the trail. */
  rowsAfter(seq: number, limit: number): Promise<readonly SavedAuditRow[]>;
  /** Sequence number of the newest row; 0 when there is none. */
  lastSeq(): Promise<number>;
  /** Counts the rows that are older than a time, and removes them unless it is a dry run. */
  removeBefore(at: number, options?: { readonly isDryRun?: boolean }): Promise<number>;
}

/** Lessons from corrected and harmful calls. Few: those that have faded are removed. */
export interface LessonStore {
  /** Stores a lesson, or raises the confidence of the same lesson. Removes lessons that have faded by then. */
  learn(lesson: NewLesson): Promise<Lesson>;
  /** The lessons about an action that have not faded, strongest first. */
  relevant(action: string, options: { readonly now: number; readonly limit: number }): Promise<readonly Lesson[]>;
  /** All lessons, newest first. */
  list(): Promise<readonly Lesson[]>;
  /** Returns false when the lesson is unknown. */
  remove(id: string): Promise<boolean>;
  /** Counts that lessons were applied; their confidence stays as it is now for longer. */
  noteApplied(ids: readonly string[], at: number): Promise<void>;
  /** Halves the confidence of lessons: the user allowed what they warn about. */
  weaken(ids: readonly string[]): Promise<void>;
}

/** The port to everything that a runtime stores. */
export interface Stores {
  readonly sessions: SessionStore;
  readonly costs: CostStore;
  readonly events: EventStore;
  readonly memory: MemoryStore;
  readonly audit: AuditStore;
  readonly lessons: LessonStore;
  /** Finishes pending writes. Nothing is written after it resolves. */
  close(): Promise<void>;
}
