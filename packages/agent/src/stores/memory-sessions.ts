import { keepShape } from "../async/keep-shape.ts";
import type { AgentEvent } from "../protocol/events.ts";
import type { Message } from "../protocol/messages.ts";
import { cannotChange } from "./cannot-change.ts";
import { eventsAfter } from "./events-after.ts";
import { isGone } from "./holder.ts";
import { isLeaseActive, leaseLostError, sessionInUseError } from "./lease.ts";
import { createCosts, type MemoryCosts } from "./memory-costs.ts";
import { checkEvents } from "./saved-events.ts";
import { checkStoredName } from "./stored-name.ts";
import type {
  Checkpoint,
  Claim,
  Commit,
  EventStore,
  Holder,
  Lease,
  SavedRun,
  SavedSession,
  SessionStore,
  SessionSummary,
  UnansweredCall,
} from "./stores.ts";

interface Held {
  readonly holder: Holder;
  readonly fence: number;
  renewedAt: number;
}

/** What never changes is kept as it was given: a checkpoint's state, the events of a bus and frozen messages. The rest is copied, and so is all that is read. */
interface Kept {
  readonly createdAt: number;
  updatedAt: number;
  readonly messages: Message[];
  /** The events of each commit. */
  readonly events: { readonly last: number; readonly list: readonly AgentEvent[] }[];
  lastSeq: number;
  readonly unansweredCalls: Map<string, UnansweredCall>;
  readonly runs: Map<string, SavedRun>;
  checkpoint: Checkpoint | undefined;
}

/** Sessions and their events, as long as the process lasts. */
export function createSessions(costs: MemoryCosts): { readonly sessions: SessionStore; readonly events: EventStore } {
  const memory = new Memory(costs);
  return {
    sessions: {
      load: memory.load.bind(memory),
      claim: memory.claim.bind(memory),
      renew: memory.renew.bind(memory),
      release: memory.release.bind(memory),
      commit: memory.commit.bind(memory),
      list: memory.list.bind(memory),
      remove: memory.remove.bind(memory),
    },
    events: { after: memory.after.bind(memory) },
  };
}

class Memory implements SessionStore, EventStore {
  private readonly costs: MemoryCosts;
  private readonly kept = new Map<string, Kept>();
  private readonly leases = new Map<string, Held>();
  private fences = 0;

  constructor(costs: MemoryCosts) {
    this.costs = costs;
  }

  async load(sessionId: string): Promise<SavedSession> {
    return savedOf(this.kept.get(sessionId));
  }

  async claim(sessionId: string, holder: Holder, at: number): Promise<Claim> {
    checkStoredName("id of a session", sessionId);
    const held = this.leases.get(sessionId);
    if (held !== undefined && held.holder.id !== holder.id && isLeaseActive(held.holder, held.renewedAt, at))
      return { ok: false, holder: { ...held.holder } };
    this.costs.giveUp(sessionId);
    this.fences += 1;
    this.leases.set(sessionId, { holder: { ...holder }, fence: this.fences, renewedAt: at });
    return { ok: true, lease: { sessionId, fence: this.fences } };
  }

  async renew(lease: Lease, at: number): Promise<boolean> {
    const held = heldBy(this.leases, lease);
    if (held !== undefined) held.renewedAt = at;
    return held !== undefined;
  }

  async release(lease: Lease): Promise<void> {
    if (heldBy(this.leases, lease) !== undefined) this.leases.delete(lease.sessionId);
  }

  async commit(lease: Lease, commit: Commit): Promise<void> {
    const { at, messages = [], unansweredCalls = [], checkpoint, run, costs = [], events = [] } = commit;
    const held = heldBy(this.leases, lease);
    if (held === undefined) throw leaseLostError(lease.sessionId, this.leases.get(lease.sessionId)?.holder);
    checkEvents(lease.sessionId, events);
    if (run !== undefined) checkRun(run);
    this.costs.checkSettle(costs);
    const added = messages.map(unchanging); // all of them can be kept before one is
    const list = areFrozen(events) ? events : copyOf(events);
    const last = lastOf(events);
    const session = this.kept.get(lease.sessionId) ?? emptyAt(at);

    this.kept.set(lease.sessionId, session);
    session.updatedAt = held.renewedAt = at;
    for (const message of added) session.messages.push(message);
    for (const call of unansweredCalls) session.unansweredCalls.set(call.callId, { ...call });
    for (const message of messages) if (message.role === "tool") session.unansweredCalls.delete(message.callId);
    if (checkpoint !== undefined) session.checkpoint = shallowCopy(checkpoint);
    if (run !== undefined) keepRun(session, run);
    this.costs.settle(costs);
    if (list.length > 0) session.events.push({ last, list });
    session.lastSeq = Math.max(session.lastSeq, last);
  }

  async list(): Promise<readonly SessionSummary[]> {
    const all = [...this.kept].map(([sessionId, session]) => summaryOf(sessionId, session, this.leases.get(sessionId)));
    return all.sort((one, other) => other.updatedAt - one.updatedAt);
  }

  async remove(sessionId: string, at: number): Promise<void> {
    const held = this.leases.get(sessionId);
    if (held !== undefined && isLeaseActive(held.holder, held.renewedAt, at))
      throw sessionInUseError(sessionId, held.holder);
    this.kept.delete(sessionId);
    this.leases.delete(sessionId);
  }

  async after(sessionId: string, seq: number): Promise<readonly AgentEvent[]> {
    const told = (this.kept.get(sessionId)?.events ?? []).filter(({ last }) => last > seq);
    return eventsAfter(
      told.map(({ list }) => JSON.stringify(list)),
      seq,
    );
  }
}

// What comes once or twice in a run stands for itself: its shape is nothing that each turn should be compiled for.

function checkRun({ runId }: SavedRun): void {
  checkStoredName("id of a run", runId);
}

function keepRun({ runs }: Kept, run: SavedRun): void {
  runs.set(run.runId, { ...run });
}

function unchanging(message: Message): Message {
  return cannotChange(message) ? message : copyOf(message);
}

function areFrozen(events: readonly AgentEvent[]): boolean {
  for (const event of events) if (!Object.isFrozen(event)) return false;
  return true;
}

function shallowCopy({ runId, turn, guardian, total, costNanoUsd, recoveries }: Checkpoint): Checkpoint {
  return { runId, turn, guardian, total, costNanoUsd, recoveries };
}

function heldBy(leases: ReadonlyMap<string, Held>, { sessionId, fence }: Lease): Held | undefined {
  const held = leases.get(sessionId);
  return held?.fence === fence ? held : undefined;
}

function lastOf(events: readonly AgentEvent[]): number {
  let last = 0;
  for (const { seq } of events) last = Math.max(last, seq);
  return last;
}

function emptyAt(at: number): Kept {
  return {
    createdAt: at,
    updatedAt: at,
    messages: [],
    events: [],
    lastSeq: 0,
    unansweredCalls: new Map(),
    runs: new Map(),
    checkpoint: undefined,
  };
}

function savedOf(session: Kept | undefined): SavedSession {
  if (session === undefined) return { messages: [], unansweredCalls: [], runs: [], lastSeq: 0 };
  const { messages, unansweredCalls, runs, lastSeq, checkpoint } = session;
  return {
    messages: copyOf(messages),
    unansweredCalls: copyOf([...unansweredCalls.values()]),
    runs: copyOf([...runs.values()]),
    lastSeq,
    ...(checkpoint === undefined ? {} : { checkpoint: copyOf(checkpoint) }),
  };
}

function summaryOf(
  sessionId: string,
  { createdAt, updatedAt, messages, runs }: Kept,
  held: Held | undefined,
): SessionSummary {
  const lastRun = [...runs.values()].at(-1);
  return {
    sessionId,
    createdAt,
    updatedAt,
    messages: messages.length,
    ...(lastRun === undefined ? {} : { lastRun: copyOf(lastRun) }),
    ...(held === undefined || isGone(held.holder) ? {} : { holder: { ...held.holder }, renewedAt: held.renewedAt }),
  };
}

function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T; // plain data throughout
}

keepShape(new Memory(createCosts()));
