import type { ValueMask } from "../secrets/value-mask.ts";
import { createHeldDeltas, type HeldDeltas } from "./held-deltas.ts";
import { createPendingEvents, type PendingEvents } from "./pending-events.ts";
import { createReplayBuffer, type ReplayBuffer } from "./replay-buffer.ts";
import type { Subscriber } from "./subscriber.ts";

/** What the bus stores for one session. */
export interface BusSession {
  readonly id: string;
  lastSeq: number;
  /** Undefined before the first event, and again once newer sessions have displaced it. */
  replay: ReplayBuffer | undefined;
  readonly held: HeldDeltas;
  readonly pending: PendingEvents;
  /** Subscribers of this session only. */
  readonly subscribers: Set<Subscriber>;
}

/** The sessions of a bus. */
export interface BusSessions {
  get(id: string): BusSession;
  /** Adds an event to the session's replay buffer. The session becomes the newest; the oldest may lose its buffer. */
  addToReplay(session: BusSession, event: Parameters<ReplayBuffer["add"]>[0]): void;
  /** Frees a session that has nothing but its last number. */
  release(session: BusSession): void;
}

interface BusSessionsOptions {
  /** How many events of each kind are stored for a session. */
  readonly keep: number;
  /** How many sessions have stored events. */
  readonly keepSessions: number;
  /** The values of secrets, which no delta cuts in two. */
  readonly values: Pick<ValueMask, "cutBefore">;
}

/** Stores the events of the newest sessions, and the last number of all. */
export function createBusSessions({ keep, keepSessions, values }: BusSessionsOptions): BusSessions {
  const sessions = new Map<string, BusSession>();
  /** Sessions with a replay buffer, the newest last. */
  const replayed = new Set<BusSession>();
  const lastSeqs = new Map<string, number>();

  function release(session: BusSession): void {
    const { replay, held, pending, subscribers } = session;
    if (replay !== undefined || held.size + pending.size + subscribers.size > 0) return;
    if (sessions.get(session.id) !== session) return; // already released
    sessions.delete(session.id);
    if (session.lastSeq > 0) lastSeqs.set(session.id, session.lastSeq);
  }

  function dropOldestReplay(): void {
    const [oldest] = replayed;
    if (oldest === undefined || replayed.size <= keepSessions) return;
    replayed.delete(oldest);
    oldest.replay = undefined;
    release(oldest);
  }

  return {
    get(id) {
      const existing = sessions.get(id);
      if (existing !== undefined) return existing;
      const session: BusSession = {
        id,
        lastSeq: lastSeqs.get(id) ?? 0,
        replay: undefined,
        held: createHeldDeltas(values),
        pending: createPendingEvents(),
        subscribers: new Set(),
      };
      sessions.set(id, session);
      lastSeqs.delete(id);
      return session;
    },
    addToReplay(session, event) {
      session.replay ??= createReplayBuffer(keep);
      session.replay.add(event);
      replayed.delete(session);
      replayed.add(session);
      dropOldestReplay();
    },
    release,
  };
}
