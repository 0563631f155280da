import type { GuardianState } from "@sheepdog/guardian";
import type { Goal } from "../goals/goal.ts";
import type { RecoveryCounts } from "../loop/reply-recovery.ts";
import type { AgentEvent } from "../protocol/events.ts";
import type { Message, Usage } from "../protocol/messages.ts";
import type { Reason, RunState } from "../protocol/result.ts";

/** What a session has besides its messages: one small row, overwritten with every turn. */
export interface Checkpoint {
  readonly runId: string;
  readonly turn: number;
  readonly guardian: GuardianState;
  readonly total: Usage;
  readonly costNanoUsd: number | null;
  readonly recoveries: RecoveryCounts;
}

/** A run as it stands in the books; `running` until it has ended. */
export interface SavedRun {
  readonly runId: string;
  readonly prompt: string;
  /** The prompt is not among the messages yet: a turn that was left open comes first. */
  readonly isPromptPending?: boolean;
  readonly goal?: Goal;
  /** The session that pays for it, where that is another: it is a subagent's. */
  readonly billingSessionId?: string;
  /** Where its tools worked. */
  readonly workspace?: string;
  /** The first model it was to ask. */
  readonly model?: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly state: RunState;
  readonly reason?: Reason;
  /** What came of it. */
  readonly text?: string;
  readonly turns: number;
  readonly usage: Usage;
  readonly costNanoUsd: number | null;
}

/** A call that was written down before anything was done about it. `asked`: a person was asked; `started`: it may have been run. */
export interface UnansweredCall {
  readonly callId: string;
  readonly tool: string;
  readonly state: "awaiting-approval" | "started";
}

/** Everything that is kept of a session. */
export interface SavedSession {
  readonly messages: readonly Message[];
  readonly checkpoint?: Checkpoint;
  /** Calls of the last reply that have no result. */
  readonly unansweredCalls: readonly UnansweredCall[];
  /** Oldest first. */
  readonly runs: readonly SavedRun[];
  /** The number of its newest event; 0 where there is none. */
  readonly lastSeq: number;
}

/** What a list of sessions shows. */
export interface SessionSummary {
  readonly sessionId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly messages: number;
  readonly lastRun?: SavedRun;
  /** Who writes to it now: who has claimed it last, has not released it, and is not known to be gone. */
  readonly holder?: Holder;
  /** When its holder has said so last; after a minute anybody may claim it. */
  readonly renewedAt?: number;
}

/** A process that writes to sessions. */
export interface Holder {
  /** Its own, and no other's that ever was. */
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** When the process began, as its operating system counts; tells a process from a later one with the same pid. */
  readonly processStart?: string;
}

/** The right to write to a session. `fence` grows with every claim, so that a holder who was taken for dead is refused. */
export interface Lease {
  readonly sessionId: string;
  readonly fence: number;
}

export type Claim = { readonly ok: true; readonly lease: Lease } | { readonly ok: false; readonly holder: Holder };

/** What is written at once. */
export interface Commit {
  readonly at: number;
  readonly messages?: readonly Message[];
  /** Calls about to be run, or about to be asked for. A call that has its result among `messages`, now or later, is open no longer. */
  readonly unansweredCalls?: readonly UnansweredCall[];
  readonly checkpoint?: Checkpoint;
  readonly run?: SavedRun;
  /** Requests that were made; each takes the place of the reservation with its id. */
  readonly costs?: readonly CostRow[];
  readonly events?: readonly AgentEvent[];
}

/** Sessions: their messages only ever grow, and one process at a time writes. */
export interface SessionStore {
  /** Reads only, and waits for nobody who writes. A session that was never written is empty. */
  load(sessionId: string): Promise<SavedSession>;
  /**
   * Makes the caller the one who writes. A lease is over when it was released, when it was not renewed for a minute, or at once when its process is
   * known to be gone. Reservations that its former holder left open are then booked as unconfirmed. One who has the lease already gets it anew, and the former one of
   * theirs is over: so a lease that could not be released locks nobody out.
   */
  claim(sessionId: string, holder: Holder, at: number): Promise<Claim>;
  /** False where the lease is another's by now. */
  renew(lease: Lease, at: number): Promise<boolean>;
  release(lease: Lease): Promise<void>;
  /** All of it or nothing, and safe once it resolves. Rejects with `LeaseLostError` where the lease is another's by now. */
  commit(lease: Lease, commit: Commit): Promise<void>;
  /** The one that was written to last comes first. */
  list(): Promise<readonly SessionSummary[]>;
  /** Removes messages, calls, checkpoint, runs and events; the books keep their rows. Rejects while somebody has the lease. */
  remove(sessionId: string, at: number): Promise<void>;
}

/** Somebody else writes to the session. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** One request in the books. */
export interface CostRow {
  readonly id: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly model: string;
  readonly at: number;
  readonly usage: Usage;
  /** null where the price is unknown. */
  readonly costNanoUsd: number | null;
}

/** A row as it is read: `unconfirmed` where nobody was left to say what the request did cost, and it counts as reserved. */
export interface LedgerEntry extends CostRow {
  readonly state: "reserved" | "settled" | "unconfirmed";
}

/** What is spent of a session, a day and a month (UTC), in nano-dollars, by rows that have a price. */
export interface CostTotals {
  readonly session: number;
  readonly day: number;
  readonly month: number;
  readonly dayName: string;
  readonly monthName: string;
}

/** The most that may be spent, in nano-dollars; absent or 0: as much as it takes. */
export interface MoneyLimits {
  readonly session?: number;
  readonly day?: number;
  readonly month?: number;
}

/** What came of reserving. `totals` are spent; refused, `reserved` is what other requests that go on now may add. */
export type ReservationResult =
  | { readonly ok: true; readonly totals: CostTotals }
  | { readonly ok: false; readonly totals: CostTotals; readonly limit: keyof MoneyLimits; readonly reserved: number };

/** Sums of the books, by what was asked for. */
export interface CostSum {
  readonly key: string;
  readonly requests: number;
  readonly costNanoUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Tokens of requests without a price. */
  readonly unpricedTokens: number;
  /** The part of the cost that is unconfirmed or reserved. */
  readonly uncertainNanoUsd: number;
}

/** The books: one row a request, made before it is sent. A request belongs to the day and month it was made in. */
export interface CostStore {
  /**
   * Books a request, at what it may cost at most, before it is sent. Granted where that fits beside what is spent and what others have reserved; where
   * nobody else has reserved anything, also where less than all of it fits: so all runs together overspend by one request at most.
   * Each limit is held for itself. A reservation that is older than an hour counts as spent. Rejects a request that is in the books already.
   */
  reserve(row: CostRow, limits: MoneyLimits): Promise<ReservationResult>;
  totals(sessionId: string, at: number): Promise<CostTotals>;
  /** Sums by session, run, model, day or month, in the order of their keys; of one session or since a time where asked. */
  sums(
    by: "session" | "run" | "model" | "day" | "month",
    of?: { readonly sessionId?: string; readonly since?: number },
  ): Promise<readonly CostSum[]>;
  /** The rows of a session, oldest first. */
  rows(sessionId: string): Promise<readonly LedgerEntry[]>;
}

/** Events that were emitted, for those who come late. They are written with the commit of their turn. */
export interface EventStore {
  after(sessionId: string, seq: number): Promise<readonly AgentEvent[]>;
}

/** A fact worth remembering over sessions. */
export interface Fact {
  readonly id: string;
  readonly at: number;
  readonly text: string;
  readonly tags: readonly string[];
}

export interface MemoryStore {
  /** A fact that is there already, with the same text and tags, is given back and not written again. */
  write(fact: Omit<Fact, "id">): Promise<Fact>;
  /** The facts that fit best, best first. */
  search(query: string, limit: number): Promise<readonly Fact[]>;
  /** All of them, the newest first. */
  list(): Promise<readonly Fact[]>;
  /** False where there is no such fact. */
  remove(id: string): Promise<boolean>;
}

/** Everything a runtime keeps. */
export interface Stores {
  readonly sessions: SessionStore;
  readonly costs: CostStore;
  readonly events: EventStore;
  readonly memory: MemoryStore;
  /** Nothing is written after it resolves. */
  close(): Promise<void>;
}
