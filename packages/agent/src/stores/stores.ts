import type { GuardianState } from "@sheepdog/guardian";
import type { AgentEvent } from "../events.ts";
import type { Message, Usage } from "../messages.ts";

/** What a session has besides its messages: one small row, overwritten with every turn. */
export interface Checkpoint {
  readonly runId: string;
  readonly turn: number;
  readonly guardian: GuardianState;
  readonly total: Usage;
  readonly costNanoUsd: number | null;
}

/** The history of sessions: append-only, in order. */
export interface HistoryStore {
  load(sessionId: string): Promise<readonly Message[]>;
  /** All of them or none. */
  append(sessionId: string, messages: readonly Message[]): Promise<void>;
}

/** One checkpoint a session. */
export interface CheckpointStore {
  load(sessionId: string): Promise<Checkpoint | undefined>;
  save(sessionId: string, checkpoint: Checkpoint): Promise<void>;
}

/** What one request cost. */
export interface CostRow {
  readonly sessionId: string;
  readonly runId: string;
  readonly model: string;
  readonly at: number;
  readonly usage: Usage;
  /** null where the price is unknown. */
  readonly costNanoUsd: number | null;
}

/** Totals as the guardian's limits want them; null where some of it has no price. */
export interface CostTotals {
  readonly session: number | null;
  readonly day: number | null;
  readonly month: number | null;
  /** The day and the month they belong to (UTC). */
  readonly dayName: string;
  readonly monthName: string;
}

/** The books. */
export interface CostStore {
  record(row: CostRow): Promise<void>;
  totals(sessionId: string, at: number): Promise<CostTotals>;
}

/** Events that were emitted, for those who come late. */
export interface EventStore {
  append(events: readonly AgentEvent[]): Promise<void>;
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
  write(fact: Omit<Fact, "id">): Promise<Fact>;
  /** The facts that fit best, best first. */
  search(query: string, limit: number): Promise<readonly Fact[]>;
}

/** Everything a runtime keeps. */
export interface Stores {
  readonly history: HistoryStore;
  readonly checkpoints: CheckpointStore;
  readonly costs: CostStore;
  readonly events: EventStore;
  readonly memory: MemoryStore;
}
