import { setImmediate as nextTurn } from "node:timers/promises";
import { type LogFolder, logFolders, removeLogFolder } from "../logs/log-folders.ts";
import { removeSession } from "./export-session.ts";
import { thisProcess } from "./holder.ts";
import { isLeaseActive } from "./lease.ts";
import type { Holder, SessionSummary, Stores } from "./stores.ts";

/** How much is kept. What is not said is no reason to remove anything. */
interface Keep {
  /** What was not written to for longer is removed. */
  readonly maxAgeMs?: number;
  /** Of what is more than that in all, the oldest is removed. */
  readonly maxBytes?: number;
}

export interface PruneOptions {
  readonly stores: Stores;
  readonly logDir?: string;
  readonly at: number;
  /** Sessions go with their logs, so that nothing brings them back. */
  readonly sessions?: Keep;
  readonly logs?: Keep;
  /** Also sessions whose last run has not ended, though nobody works on it: they could be resumed. */
  readonly withUnfinished?: boolean;
  /** Says what would be removed, and removes nothing. */
  readonly isDryRun?: boolean;
}

/** `bytes` of a session are those of its JSON; of logs, those of the files. */
interface Removed {
  readonly sessionId: string;
  readonly updatedAt: number;
  readonly bytes: number;
  readonly why: "age" | "size";
}

export interface Pruned {
  readonly isDryRun: boolean;
  readonly sessions: readonly Removed[];
  readonly logs: readonly Removed[];
  /** What was to go and was kept. */
  readonly kept: readonly { readonly sessionId: string; readonly why: string }[];
  readonly bytes: number;
}

/** Keeps the disk in order: sessions and logs that are too old, then the oldest of what is too much. Never one that somebody works on. */
export async function prune(options: PruneOptions): Promise<Pruned> {
  const { stores, logDir, at, isDryRun = false } = options;
  checkKeep("sessions", options.sessions);
  checkKeep("logs", options.logs);
  const summaries = await stores.sessions.list();
  const folders = logDir === undefined ? [] : await logFolders(logDir);
  const inUse = withSubAgents(summaries, new Map(summaries.flatMap((one) => reasonToKeep(one, options))));
  const kept = new Map<string, string>();
  const sessions: Removed[] = [];
  const logs: Removed[] = [];

  for (const chosen of choose(await sized(options, summaries), options.sessions, { at, inUse, kept })) {
    const problem = isDryRun
      ? undefined
      : await attempt(() =>
          removeSession(stores, { sessionId: chosen.sessionId, at, ...(logDir === undefined ? {} : { logDir }) }),
        );
    if (problem === undefined) sessions.push(chosen);
    else kept.set(chosen.sessionId, problem);
    await nextTurn(); // what the stores do may leave no room for others
  }
  const gone = new Map(sessions.map(({ sessionId, why }) => [sessionId, why]));
  for (const folder of folders) {
    const why = gone.get(folder.sessionId);
    if (why !== undefined) logs.push(removed(folder, why));
  }
  const left = new Map(
    folders.filter(({ sessionId }) => !gone.has(sessionId)).map((folder) => [folder.sessionId, folder]),
  );
  const claim = claimerOf(options, summaries);
  for (const chosen of choose([...left.values()], options.logs, { at, inUse, kept })) {
    const folder = left.get(chosen.sessionId) as LogFolder; // chosen of those
    const problem = isDryRun ? undefined : await attempt(() => claim(chosen.sessionId, () => removeLogFolder(folder)));
    if (problem === undefined) logs.push(chosen);
    else kept.set(chosen.sessionId, problem);
  }
  const bytes = [...sessions, ...logs].reduce((sum, one) => sum + one.bytes, 0);
  return { isDryRun, sessions, logs, kept: [...kept].map(([sessionId, why]) => ({ sessionId, why })), bytes };
}

/** Does something to a session while nobody works on it: the list may be old by then. One that is not kept cannot be worked on. */
function claimerOf(
  { stores, at }: PruneOptions,
  summaries: readonly SessionSummary[],
): (sessionId: string, act: () => Promise<void>) => Promise<void> {
  const known = new Set(summaries.map(({ sessionId }) => sessionId));
  const holder = thisProcess();
  return async (sessionId, act) => {
    if (!known.has(sessionId)) return act();
    const claim = await stores.sessions.claim(sessionId, holder, at);
    if (!claim.ok) throw new Error(worksOn(claim.holder));
    await act().finally(() => stores.sessions.release(claim.lease));
  };
}

type Sized = Pick<Removed, "sessionId" | "updatedAt" | "bytes">;

interface Choosing {
  readonly at: number;
  /** Why a session is not to be touched. */
  readonly inUse: ReadonlyMap<string, string>;
  /** Where it is told. */
  readonly kept: Map<string, string>;
}

/** Those to remove, oldest first. What is in use counts towards the size, and stays. */
function choose(all: readonly Sized[], keep: Keep | undefined, { at, inUse, kept }: Choosing): readonly Removed[] {
  if (keep === undefined) return [];
  const { maxAgeMs = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY } = keep;
  let bytes = all.reduce((sum, one) => sum + one.bytes, 0);
  const chosen: Removed[] = [];
  for (const one of [...all].sort((a, b) => a.updatedAt - b.updatedAt)) {
    const why = at - one.updatedAt > maxAgeMs ? "age" : bytes > maxBytes ? "size" : undefined;
    if (why === undefined) continue;
    const reason = inUse.get(one.sessionId);
    if (reason !== undefined) {
      kept.set(one.sessionId, reason);
      continue;
    }
    bytes -= one.bytes;
    chosen.push(removed(one, why));
  }
  return chosen;
}

function removed({ sessionId, updatedAt, bytes }: Sized, why: Removed["why"]): Removed {
  return { sessionId, updatedAt, bytes, why };
}

/** Sessions with their sizes. They have to be read for that: all of them where their size is a reason, else those that are too old. */
async function sized(
  { stores, at, sessions: keep }: PruneOptions,
  summaries: readonly SessionSummary[],
): Promise<readonly Sized[]> {
  const { maxAgeMs = Number.POSITIVE_INFINITY, maxBytes } = keep ?? {};
  const all: Sized[] = [];
  for (const { sessionId, updatedAt } of summaries) {
    if (maxBytes === undefined && at - updatedAt <= maxAgeMs) continue;
    const texts = [await stores.sessions.load(sessionId), await stores.events.after(sessionId, 0)].map((part) =>
      JSON.stringify(part),
    );
    await nextTurn();
    all.push({ sessionId, updatedAt, bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) });
  }
  return all;
}

function reasonToKeep(
  { sessionId, holder, renewedAt, lastRun }: SessionSummary,
  { at, withUnfinished = false }: PruneOptions,
): readonly (readonly [string, string])[] {
  if (holder !== undefined && isLeaseActive(holder, renewedAt ?? at, at)) return [[sessionId, worksOn(holder)]];
  const isUnfinished = lastRun !== undefined && lastRun.endedAt === undefined;
  return isUnfinished && !withUnfinished ? [[sessionId, "its last run has not ended, and could be resumed"]] : [];
}

/** What belongs to a session that stays, stays with it. */
function withSubAgents(
  summaries: readonly SessionSummary[],
  inUse: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const all = new Map(inUse);
  for (const { sessionId, lastRun } of summaries) {
    const payer = lastRun?.billingSessionId;
    if (payer !== undefined && inUse.has(payer) && !all.has(sessionId))
      all.set(sessionId, `it is a subagent's of ${payer}: ${inUse.get(payer)}`);
  }
  return all;
}

function worksOn({ pid, host }: Holder): string {
  return `process ${pid} on ${host} works on it`;
}

async function attempt(act: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error); // told, and the others are still removed
  }
}

function checkKeep(what: string, keep: Keep | undefined): void {
  for (const [name, value] of Object.entries(keep ?? {}))
    if (value !== undefined && !(typeof value === "number" && value >= 0))
      throw new RangeError(`Expected ${name} of ${what} to be a number from 0 up, got ${value}.`);
}
