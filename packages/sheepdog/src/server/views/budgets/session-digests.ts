import { setImmediate } from "node:timers/promises";
import type { SavedRun, SessionSummary, Stores } from "@sheepdog/agent";
import type { Limit, LimitName } from "@sheepdog/guardian";
import { isDemoSession } from "../../../compose/ids.ts";
import { numberedCalls } from "../../../saved-runs/notice-effect.ts";
import { readableEvents } from "../../../saved-runs/readable-events.ts";
import { type NoticedLoop, noticedLoops } from "./noticed-loops.ts";

/** What the page about budgets needs to know about a session. */
export interface SessionDigest {
  readonly sessionId: string;
  /** The session that pays. */
  readonly payer: string;
  readonly runs: readonly Pick<SavedRun, "runId" | "reason" | "startedAt" | "endedAt">[];
  readonly loops: readonly NoticedLoop[];
  /** Runs whose user chose to stop them when asked. */
  readonly stoppedByUser: ReadonlySet<string>;
  /** Limits that the user changed for the newest run. */
  readonly changedLimits: Readonly<Partial<Record<LimitName, Limit>>>;
}

/** Digests that are kept; the oldest are read again when they are needed. */
const MAX_DIGESTS = 5_000;

interface Kept {
  readonly updatedAt: number;
  readonly digest: SessionDigest;
}

const caches = new WeakMap<Stores, Map<string, Kept>>();

/** Digests of the sessions that were written since then. Each is read once, and again after it has changed. */
export async function sessionDigests(
  stores: Stores,
  sessions: readonly SessionSummary[],
  since: number,
): Promise<readonly SessionDigest[]> {
  const cache = caches.get(stores) ?? new Map<string, Kept>();
  caches.set(stores, cache);
  const digests: SessionDigest[] = [];
  for (const session of sessions) {
    const { sessionId, updatedAt } = session;
    if (isDemoSession(sessionId) || updatedAt < since || session.lastRun === undefined) continue;
    const kept = cache.get(sessionId);
    const isCurrent = kept?.updatedAt === updatedAt;
    // Without a session that cannot be read: the list of runs says that it cannot, and why.
    const digest = isCurrent ? kept.digest : await readDigest(stores, session).catch(() => undefined);
    cache.delete(sessionId);
    if (digest === undefined) continue;
    cache.set(sessionId, { updatedAt, digest });
    digests.push(digest);
  }
  for (const sessionId of cache.keys()) {
    if (cache.size <= MAX_DIGESTS) break;
    cache.delete(sessionId);
  }
  return digests;
}

async function readDigest(stores: Stores, { sessionId, lastRun }: SessionSummary): Promise<SessionDigest> {
  await setImmediate(); // other requests are answered between two sessions
  const saved = await stores.sessions.load(sessionId);
  const { events } = readableEvents(await stores.events.after(sessionId, 0));
  const { checkpoint } = saved;
  const noticed = new Set(events.flatMap(({ type, runId }) => (type === "GuardianIntervention" ? [runId] : [])));
  const calls = noticed.size === 0 ? [] : numberedCalls(saved.messages);
  const isCurrent = checkpoint !== undefined && checkpoint.runId === saved.runs.at(-1)?.runId;
  return {
    sessionId,
    payer: lastRun?.billingSessionId ?? sessionId,
    runs: saved.runs.map(({ runId, reason, startedAt, endedAt }) => ({
      runId,
      startedAt,
      ...(reason === undefined ? {} : { reason }),
      ...(endedAt === undefined ? {} : { endedAt }),
    })),
    loops: saved.runs
      .filter(({ runId }) => noticed.has(runId))
      .flatMap(({ runId }) => noticedLoops(runId, events, calls)),
    stoppedByUser: new Set(
      events.flatMap((event) => (event.type === "QuestionAnswered" && event.answer === "stop" ? [event.runId] : [])),
    ),
    changedLimits: isCurrent ? (checkpoint.guardian.userLimits ?? {}) : {},
  };
}
