import { isGone } from "./holder.ts";
import { isLeaseActive, leaseLostError, sessionInUseError } from "./lease.ts";
import type { MemoryAudit } from "./memory-audit.ts";
import type { MemoryCosts } from "./memory-costs.ts";
import type { MemoryLessons } from "./memory-lessons.ts";
import { checkEvents, eventsAfter, withoutStored } from "./saved-events.ts";
import { checkStoredName } from "./stored-name.ts";
import type {
  Commit,
  CostRow,
  EventBatch,
  EventStore,
  Holder,
  Lease,
  SavedSession,
  SessionStore,
  SessionSummary,
  UnansweredCall,
} from "./stores.ts";

/** Sessions and their events in memory. Values are stored as JSON, so that they are copied on write and on read. */
export function createMemorySessions({ costs, audit, lessons }: CommitTargets): {
  readonly sessions: SessionStore;
  readonly events: EventStore;
  /** Whether the process of a request is known to have ended. */
  hasEnded(request: Pick<CostRow, "sessionId" | "runId">): boolean;
} {
  const sessions = new Map<string, StoredSession>();
  const leases = new Map<string, ActiveLease>();
  /** Of all sessions, in the order in which they were written. */
  let batches: StoredBatch[] = [];
  let lastFence = 0;
  let lastPosition = 0;

  const validLease = ({ sessionId, fence }: Lease): ActiveLease | undefined => {
    const lease = leases.get(sessionId);
    return lease?.fence === fence ? lease : undefined;
  };

  return {
    hasEnded({ sessionId: payer, runId }) {
      const held = [...leases].filter(([id]) => id === payer || sessions.get(id)?.runs.has(runId));
      return held.length > 0 && held.every(([, { holder }]) => isGone(holder));
    },
    sessions: {
      load: async (sessionId, skipMessages) => savedSession(sessions.get(sessionId) ?? emptySession(0), skipMessages),
      async claim(sessionId, holder, at) {
        checkStoredName("id of a session", sessionId);
        const current = leases.get(sessionId);
        if (current !== undefined && current.holder.id !== holder.id)
          if (isLeaseActive(current.holder, current.renewedAt, at)) return { ok: false, holder: { ...current.holder } };
        costs.markUnconfirmed(sessionId);
        lastFence += 1;
        leases.set(sessionId, { holder: { ...holder }, fence: lastFence, renewedAt: at });
        return { ok: true, lease: { sessionId, fence: lastFence } };
      },
      async renew(lease, at) {
        const current = validLease(lease);
        if (current !== undefined) current.renewedAt = at;
        return current !== undefined;
      },
      async release(lease) {
        if (validLease(lease) !== undefined) leases.delete(lease.sessionId);
      },
      async commit(lease, commit) {
        const { sessionId } = lease;
        const current = validLease(lease);
        if (current === undefined) throw leaseLostError(sessionId, leases.get(sessionId)?.holder);
        checkEvents(sessionId, commit.events ?? []);
        if (commit.run !== undefined) checkStoredName("id of a run", commit.run.runId);
        costs.checkSettle(commit.costs ?? []);
        const session = sessions.get(sessionId) ?? emptySession(commit.at);
        const auditJson = JSON.stringify(commit.audit ?? []); // throws before anything is changed
        const eventsJson = applyCommit(session, commit);
        if (eventsJson !== undefined) {
          lastPosition += 1;
          batches.push({ position: lastPosition, sessionId, json: eventsJson });
        }
        audit.add(JSON.parse(auditJson));
        sessions.set(sessionId, session);
        current.renewedAt = commit.at;
        costs.settle(commit.costs ?? []);
        lessons.learnAll(commit.lessons ?? []);
      },
      list: async () =>
        Array.from(sessions, ([sessionId, session]) => summaryOf(sessionId, session, leases.get(sessionId))).sort(
          (a, b) => b.updatedAt - a.updatedAt,
        ),
      async findRuns(start, limit) {
        const runs = [...sessions].flatMap(([sessionId, session]) =>
          [...session.runs.keys()].flatMap((runId) => (runId.startsWith(start) ? [{ sessionId, runId }] : [])),
        );
        return runs.sort((one, other) => (one.runId < other.runId ? -1 : 1)).slice(0, count(limit));
      },
      async remove(sessionId, at) {
        const current = leases.get(sessionId);
        if (current !== undefined && isLeaseActive(current.holder, current.renewedAt, at))
          throw sessionInUseError(sessionId, current.holder);
        costs.markUnconfirmed(sessionId);
        sessions.delete(sessionId);
        batches = batches.filter((batch) => batch.sessionId !== sessionId);
        leases.delete(sessionId);
      },
    },
    events: {
      async after(sessionId, seq, limit) {
        const lists = sessions.get(sessionId)?.events ?? [];
        return eventsAfter(
          lists.filter(({ lastSeq }) => lastSeq > seq).map(({ json }) => json),
          seq,
          limit,
        );
      },
      async batchesAfter(position, limit) {
        const start = batches.findLastIndex((batch) => batch.position <= position) + 1;
        return batches.slice(start, start + count(limit)).map(toBatch);
      },
      async batchesBefore(position, limit) {
        const end = batches.findLastIndex((batch) => batch.position < position) + 1;
        return batches
          .slice(Math.max(0, end - count(limit)), end)
          .reverse()
          .map(toBatch);
      },
      lastPosition: async () => batches.at(-1)?.position ?? 0,
    },
  };
}

/** The stores that a commit also writes to. */
interface CommitTargets {
  readonly costs: MemoryCosts;
  readonly audit: Pick<MemoryAudit, "add">;
  readonly lessons: Pick<MemoryLessons, "learnAll">;
}

interface ActiveLease {
  readonly holder: Holder;
  readonly fence: number;
  renewedAt: number;
}

interface StoredBatch {
  readonly position: number;
  readonly sessionId: string;
  readonly json: string;
}

function toBatch({ json, ...batch }: StoredBatch): EventBatch {
  return { ...batch, events: eventsAfter([json], 0) };
}

function count(limit: number): number {
  return Math.max(0, Math.trunc(limit));
}

/** Messages, runs, events and the checkpoint are JSON. */
interface StoredSession {
  readonly createdAt: number;
  updatedAt: number;
  readonly messages: string[];
  /** One list for each commit. */
  readonly events: { readonly lastSeq: number; readonly json: string }[];
  lastSeq: number;
  /** The sequence numbers of all events. */
  readonly seqs: Set<number>;
  readonly unansweredCalls: Map<string, UnansweredCall>;
  /** By run id. */
  readonly runs: Map<string, string>;
  checkpoint: string | undefined;
}

function emptySession(createdAt: number): StoredSession {
  return {
    createdAt,
    updatedAt: createdAt,
    messages: [],
    events: [],
    lastSeq: 0,
    seqs: new Set(),
    unansweredCalls: new Map(),
    runs: new Map(),
    checkpoint: undefined,
  };
}

/**
 * Serializes everything before the first change: a value that is not JSON throws and leaves the session as it was.
 * Returns the new events as JSON; undefined when there are none.
 */
function applyCommit(session: StoredSession, commit: Commit): string | undefined {
  const { at, messages = [], unansweredCalls = [], checkpoint, run } = commit;
  const events = withoutStored(commit.events ?? [], session.seqs);
  const messagesJson = messages.map((message) => JSON.stringify(message));
  const eventsJson = JSON.stringify(events);
  const runJson = JSON.stringify(run);
  const checkpointJson = JSON.stringify(checkpoint);

  session.updatedAt = at;
  for (const json of messagesJson) session.messages.push(json);
  for (const call of unansweredCalls) session.unansweredCalls.set(call.callId, { ...call });
  for (const message of messages) if (message.role === "tool") session.unansweredCalls.delete(message.callId);
  if (checkpoint !== undefined) session.checkpoint = checkpointJson;
  if (run !== undefined) session.runs.set(run.runId, runJson);
  if (events.length === 0) return undefined;
  const lastSeq = events.reduce((max, { seq }) => Math.max(max, seq), 0);
  session.events.push({ lastSeq, json: eventsJson });
  for (const { seq } of events) session.seqs.add(seq);
  session.lastSeq = Math.max(session.lastSeq, lastSeq);
  return eventsJson;
}

function savedSession(
  { messages, unansweredCalls, runs, lastSeq, checkpoint }: StoredSession,
  skipMessages: number = 0,
): SavedSession {
  return {
    messages: messages.slice(count(skipMessages)).map((json) => JSON.parse(json)),
    unansweredCalls: Array.from(unansweredCalls.values(), (call) => ({ ...call })),
    runs: Array.from(runs.values(), (json) => JSON.parse(json)),
    lastSeq,
    ...(checkpoint === undefined ? {} : { checkpoint: JSON.parse(checkpoint) }),
  };
}

function summaryOf(
  sessionId: string,
  { createdAt, updatedAt, messages, runs }: StoredSession,
  lease: ActiveLease | undefined,
): SessionSummary {
  const lastRun = [...runs.values()].at(-1);
  return {
    sessionId,
    createdAt,
    updatedAt,
    messages: messages.length,
    ...(lastRun === undefined ? {} : { lastRun: JSON.parse(lastRun) }),
    ...(lease === undefined || isGone(lease.holder) ? {} : { holder: { ...lease.holder }, renewedAt: lease.renewedAt }),
  };
}
