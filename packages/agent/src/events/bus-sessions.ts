import { keepShape } from "../async/keep-shape.ts";
import type { HeldDelta } from "./held-deltas.ts";
import { createPendingEvents, type PendingEvents } from "./pending-events.ts";
import { createReplay, type Replay } from "./replay-buffer.ts";

/** What a bus knows of one session. */
export interface BusSession<Subscribed> {
  readonly id: string;
  lastSeq: number;
  /** What is kept for those who come late; undefined before the first event, and once it is forgotten. */
  replay: Replay | undefined;
  /** The ends of streams that are not told yet, one a run at most. */
  readonly held: HeldDelta[];
  readonly pending: PendingEvents;
  /** Who hears this session and no other. */
  readonly subscribed: Set<Subscribed>;
}

/** The sessions of a bus. */
export interface BusSessions<Subscribed> {
  of(id: string): BusSession<Subscribed>;
  /** The session's replay; the session is now the newest, and the oldest one may be forgotten. */
  replayOf(session: BusSession<Subscribed>): Replay;
  /** Keeps nothing but the number of a session of which nothing else is left. */
  release(session: BusSession<Subscribed>): void;
}

/** Keeps the events of the newest `keepSessions` sessions, and the last number of all. */
export function createBusSessions<Subscribed>(keep: number, keepSessions: number): BusSessions<Subscribed> {
  return new KnownSessions<Subscribed>(keep, keepSessions);
}

class KnownSessions<Subscribed> implements BusSessions<Subscribed> {
  private readonly keep: number;
  private readonly keepSessions: number;
  private readonly sessions = new Map<string, BusSession<Subscribed>>();
  /** The newest is last. */
  private readonly kept = new Set<BusSession<Subscribed>>();
  private readonly lastSeqs = new Map<string, number>();
  private newest: BusSession<Subscribed> | undefined = undefined;

  constructor(keep: number, keepSessions: number) {
    this.keep = keep;
    this.keepSessions = keepSessions;
  }

  of(id: string): BusSession<Subscribed> {
    if (this.newest?.id === id) return this.newest; // as it nearly always is
    const known = this.sessions.get(id);
    if (known !== undefined) return known;
    const lastSeq = this.lastSeqs.get(id) ?? 0;
    const session: BusSession<Subscribed> = {
      id,
      lastSeq,
      replay: undefined,
      held: [],
      pending: createPendingEvents(),
      subscribed: new Set(),
    };
    this.sessions.set(id, session);
    this.lastSeqs.delete(id);
    return session;
  }

  replayOf(session: BusSession<Subscribed>): Replay {
    const replay = session.replay ?? createReplay(this.keep);
    session.replay = replay;
    if (session === this.newest) return replay;
    this.newest = session;
    this.kept.delete(session);
    this.kept.add(session);
    const [oldest] = this.kept;
    if (this.kept.size > this.keepSessions && oldest !== undefined) this.forget(oldest);
    return replay;
  }

  release(session: BusSession<Subscribed>): void {
    if (session.replay !== undefined || session.held.length + session.pending.size + session.subscribed.size > 0)
      return;
    if (this.sessions.get(session.id) !== session) return; // released before
    this.sessions.delete(session.id);
    if (session.lastSeq > 0) this.lastSeqs.set(session.id, session.lastSeq);
  }

  private forget(session: BusSession<Subscribed>): void {
    this.kept.delete(session);
    if (session === this.newest) this.newest = undefined;
    session.replay = undefined;
    this.release(session);
  }
}

keepShape(new KnownSessions(0, 0));
