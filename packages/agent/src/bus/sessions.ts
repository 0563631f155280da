import { createReplay, type Replay } from "./replay.ts";
import { createUntold, type Untold } from "./untold.ts";
import type { HeldDelta } from "./whole-words.ts";

/** What a bus knows of one session. */
export interface Session<Subscribed> {
  readonly id: string;
  lastSeq: number;
  /** What is kept for those who come late; undefined before the first event, and once it is forgotten. */
  replay: Replay | undefined;
  /** The ends of streams that are not told yet, by run. */
  readonly held: Map<string, HeldDelta>;
  readonly untold: Untold;
  /** Who hears this session and no other. */
  readonly subscribed: Set<Subscribed>;
}

/** The sessions of a bus. */
export interface Sessions<Subscribed> {
  of(id: string): Session<Subscribed>;
  /** The session's replay; the session is now the newest, and the oldest one may be forgotten. */
  replayOf(session: Session<Subscribed>): Replay;
  /** Keeps nothing but the number of a session of which nothing else is left. */
  release(session: Session<Subscribed>): void;
}

/** Keeps the events of the newest `keepSessions` sessions, and the last number of all. */
export function createSessions<Subscribed>(keep: number, keepSessions: number): Sessions<Subscribed> {
  const sessions = new Map<string, Session<Subscribed>>();
  const kept = new Set<Session<Subscribed>>(); // the newest is last
  const lastSeqs = new Map<string, number>();
  let newest: Session<Subscribed> | undefined;

  function of(id: string): Session<Subscribed> {
    const known = sessions.get(id);
    if (known !== undefined) return known;
    const lastSeq = lastSeqs.get(id) ?? 0;
    const session: Session<Subscribed> = { id, lastSeq, replay: undefined, held: new Map(), untold: createUntold(), subscribed: new Set() };
    sessions.set(id, session);
    lastSeqs.delete(id);
    return session;
  }

  function replayOf(session: Session<Subscribed>): Replay {
    const replay = session.replay ?? createReplay(keep);
    session.replay = replay;
    if (session === newest) return replay;
    newest = session;
    kept.delete(session);
    kept.add(session);
    const [oldest] = kept;
    if (kept.size > keepSessions && oldest !== undefined) forget(oldest);
    return replay;
  }

  function forget(session: Session<Subscribed>): void {
    kept.delete(session);
    if (session === newest) newest = undefined;
    session.replay = undefined;
    release(session);
  }

  function release(session: Session<Subscribed>): void {
    if (session.replay !== undefined || session.held.size + session.untold.size + session.subscribed.size > 0) return;
    if (sessions.get(session.id) !== session) return; // released before
    sessions.delete(session.id);
    if (session.lastSeq > 0) lastSeqs.set(session.id, session.lastSeq);
  }

  return { of, replayOf, release };
}
