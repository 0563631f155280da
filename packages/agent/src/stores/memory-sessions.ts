import type { AgentEvent } from "../events.ts";
import type { Message } from "../messages.ts";
import { checkEvents } from "./check-events.ts";
import { checkName } from "./check-name.ts";
import { eventsAfter } from "./events-after.ts";
import { isGone } from "./holder.ts";
import { inUse, isHeld, leaseLost } from "./lease.ts";
import type { MemoryCosts } from "./memory-costs.ts";
import type { Checkpoint, Commit, EventStore, Holder, Lease, OpenCall, SavedRun, SavedSession, SessionStore, SessionSummary } from "./stores.ts";

interface Held {
  readonly holder: Holder;
  readonly fence: number;
  renewedAt: number;
}

/** What never changes, a checkpoint's state and the events of a bus, is kept as it was given and copied when it is read; the rest is kept as JSON text. */
interface Kept {
  readonly createdAt: number;
  updatedAt: number;
  readonly messages: string[];
  /** The events of each commit. */
  readonly events: { readonly last: number; readonly list: readonly AgentEvent[] }[];
  lastSeq: number;
  readonly openCalls: Map<string, OpenCall>;
  readonly runs: Map<string, SavedRun>;
  checkpoint?: Checkpoint;
}

/** Sessions and their events, as long as the process lasts. */
export function createSessions(costs: MemoryCosts): { readonly sessions: SessionStore; readonly events: EventStore } {
  const kept = new Map<string, Kept>();
  const leases = new Map<string, Held>();
  let fences = 0;

  const sessions: SessionStore = {
    load: async (sessionId) => savedOf(kept.get(sessionId)),
    async claim(sessionId, holder, at) {
      checkName("id of a session", sessionId);
      const held = leases.get(sessionId);
      if (held !== undefined && held.holder.id !== holder.id && isHeld(held.holder, held.renewedAt, at)) return { ok: false, holder: { ...held.holder } };
      costs.giveUp(sessionId);
      fences += 1;
      leases.set(sessionId, { holder: { ...holder }, fence: fences, renewedAt: at });
      return { ok: true, lease: { sessionId, fence: fences } };
    },
    async renew(lease, at) {
      const held = heldBy(leases, lease);
      if (held !== undefined) held.renewedAt = at;
      return held !== undefined;
    },
    async release(lease) {
      if (heldBy(leases, lease) !== undefined) leases.delete(lease.sessionId);
    },
    commit: async (lease, commit) => write({ kept, leases, costs }, lease, commit),
    list: async () =>
      [...kept].map(([sessionId, session]) => summaryOf(sessionId, session, leases.get(sessionId))).sort((one, other) => other.updatedAt - one.updatedAt),
    async remove(sessionId, at) {
      const held = leases.get(sessionId);
      if (held !== undefined && isHeld(held.holder, held.renewedAt, at)) throw inUse(sessionId, held.holder);
      kept.delete(sessionId);
      leases.delete(sessionId);
    },
  };
  const told = (sessionId: string, seq: number) => (kept.get(sessionId)?.events ?? []).filter(({ last }) => last > seq).map(({ list }) => JSON.stringify(list));
  return { sessions, events: { after: async (sessionId, seq) => eventsAfter(told(sessionId, seq), seq) } };
}

interface Written {
  readonly kept: Map<string, Kept>;
  readonly leases: ReadonlyMap<string, Held>;
  readonly costs: MemoryCosts;
}

function write({ kept, leases, costs }: Written, lease: Lease, commit: Commit): void {
  const { at, messages = [], openCalls = [], checkpoint, run, costs: made = [], events = [] } = commit;
  const held = heldBy(leases, lease);
  if (held === undefined) throw leaseLost(lease.sessionId, leases.get(lease.sessionId)?.holder);
  checkEvents(lease.sessionId, events);
  if (run !== undefined) checkName("id of a run", run.runId);
  costs.checkSettle(made);
  const added = messages.map((message) => JSON.stringify(message)); // all of them can be written before one is
  const list = events.every(Object.isFrozen) ? events : copyOf(events);
  const last = lastOf(events);
  const session = kept.get(lease.sessionId) ?? emptyAt(at);

  kept.set(lease.sessionId, session);
  session.updatedAt = held.renewedAt = at;
  for (const json of added) session.messages.push(json);
  for (const call of openCalls) session.openCalls.set(call.callId, { ...call });
  for (const message of messages) if (message.role === "tool") session.openCalls.delete(message.callId);
  if (checkpoint !== undefined) session.checkpoint = { ...checkpoint };
  if (run !== undefined) session.runs.set(run.runId, { ...run });
  costs.settle(made);
  if (list.length > 0) session.events.push({ last, list });
  session.lastSeq = Math.max(session.lastSeq, last);
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
  return { createdAt: at, updatedAt: at, messages: [], events: [], lastSeq: 0, openCalls: new Map(), runs: new Map() };
}

function savedOf(session: Kept | undefined): SavedSession {
  if (session === undefined) return { messages: [], openCalls: [], runs: [], lastSeq: 0 };
  const { messages, openCalls, runs, lastSeq, checkpoint } = session;
  return {
    messages: messages.map((json) => JSON.parse(json) as Message), // what was written here
    openCalls: copyOf([...openCalls.values()]),
    runs: copyOf([...runs.values()]),
    lastSeq,
    ...(checkpoint === undefined ? {} : { checkpoint: copyOf(checkpoint) }),
  };
}

function summaryOf(sessionId: string, { createdAt, updatedAt, messages, runs }: Kept, held: Held | undefined): SessionSummary {
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
