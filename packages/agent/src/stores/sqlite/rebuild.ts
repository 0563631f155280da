import { randomUUID } from "node:crypto";
import { type RestoreReport, restoreFromLogs } from "../log-restore.ts";
import { rebuildNote } from "../logged-run.ts";
import { withEveryResult } from "../session-merge.ts";
import type { Holder, Stores } from "../stores.ts";
import { readFirstPage, removeDatabase } from "./damaged-copy.ts";
import { openDamagedDatabase } from "./damaged-database.ts";
import { openSqlite } from "./open-sqlite.ts";
import { beginRebuild, finishRebuild } from "./rebuild-journal.ts";
import { salvage } from "./salvage.ts";
import { sqliteStores } from "./sqlite-stores.ts";

export interface RebuildOptions {
  readonly path: string;
  /** Where run logs are; without it only what the damaged database gives is brought back. */
  readonly logDir?: string | undefined;
  readonly at: number;
  readonly holder: Holder;
}

/** What became of a damaged database. The numbers are those of the new one. */
export interface RebuildReport {
  /** Where the damaged database is now. */
  readonly movedTo: string;
  readonly sessions: number;
  readonly messages: number;
  readonly runs: number;
  readonly costs: number;
  readonly facts: number;
  /** How many of the runs were brought back from their logs. */
  readonly runsFromLogs: number;
  /** Sentences about what was lost; none where everything is there. What the logs gave back of it is there again. */
  readonly lost: readonly string[];
}

/**
 * Moves a damaged database aside and makes a new one of what can be read of it and of run logs. Nobody else may do so at the same time. The new one appears at
 * the path when it is finished, so that a process that is killed in between leaves no empty one; the damaged one is only ever renamed.
 */
export async function rebuild(options: RebuildOptions): Promise<RebuildReport> {
  const { path, at } = options;
  const move = beginRebuild(path, at);
  const { movedTo, unfinished, alsoMoved } = move;
  const { lost, incomplete } = await copyWhatIsLeft(movedTo, { unfinished, copy: `${path}.salvage-${randomUUID()}` });
  const meanwhile =
    alsoMoved === undefined ? [] : [`what was written while the rebuild was interrupted: it is at ${alsoMoved}`];
  const restored = await addFromLogs(unfinished, incomplete, options);
  const counts = await countAll(unfinished);
  finishRebuild(path, move);
  return {
    movedTo,
    ...counts,
    runsFromLogs: restored?.runs ?? 0,
    lost: [...lost, ...meanwhile, ...(restored?.lost ?? [])],
  };
}

async function addFromLogs(
  path: string,
  incomplete: ReadonlySet<string>,
  { logDir, at, holder }: RebuildOptions,
): Promise<RestoreReport | undefined> {
  const stores = await sqliteStores({ path });
  try {
    const restored =
      logDir === undefined
        ? undefined
        : await restoreFromLogs({ stores, logDir, at, holder, rebuilding: { incomplete } });
    await noteLosses(stores, incomplete, { at, holder });
    return restored;
  } finally {
    await stores.close();
  }
}

/** Makes a new database with every row that can be read of a damaged one. */
async function copyWhatIsLeft(
  damaged: string,
  { unfinished, copy }: { readonly unfinished: string; readonly copy: string },
): Promise<{ readonly lost: readonly string[]; readonly incomplete: ReadonlySet<string> }> {
  await (await openSqlite({ path: unfinished })).close();
  const opened = await openDamagedDatabase({ path: damaged, copy, firstPage: readFirstPage(unfinished) });
  try {
    if (opened.database === undefined) return { lost: opened.lost, incomplete: new Set() };
    const { safe, close } = await openSqlite({ path: unfinished });
    try {
      const { lost, incomplete } = await salvage(opened.database, safe.database);
      return { lost: [...opened.lost, ...lost], incomplete };
    } finally {
      await close();
    }
  } finally {
    opened.database?.close();
    removeDatabase(copy);
  }
}

/** Says in a session that messages of it are missing. Calls whose results are, are told as unknown, or they would be taken for calls that are still to be made. */
async function noteLosses(
  stores: Stores,
  sessions: ReadonlySet<string>,
  { at, holder }: { readonly at: number; readonly holder: Holder },
): Promise<void> {
  for (const sessionId of sessions) {
    const { messages, unansweredCalls } = await stores.sessions.load(sessionId);
    const known = new Set(messages.map(({ id }) => id));
    const unknown = withEveryResult(messages, unansweredCalls).filter(({ id }) => !known.has(id));
    const claim = await stores.sessions.claim(sessionId, holder, at);
    if (!claim.ok) throw new Error(`Expected nobody else to use session ${sessionId} while it is rebuilt.`);
    const text =
      "The database was damaged and was rebuilt: parts of this conversation are missing. Verify before you rely on what is said above.";
    await stores.sessions.commit(claim.lease, { at, messages: [...unknown, rebuildNote(text, at)] });
    await stores.sessions.release(claim.lease);
  }
}

async function countAll(
  path: string,
): Promise<Pick<RebuildReport, "sessions" | "messages" | "runs" | "costs" | "facts">> {
  const { safe, close } = await openSqlite({ path, quickCheck: false });
  try {
    const count = (from: string) =>
      (safe.database.prepare(`SELECT count(*) AS rows FROM ${from}`).get() as { readonly rows: number }).rows; // as asked for
    const sessions = count("sessions WHERE updated_at IS NOT NULL");
    return { sessions, messages: count("messages"), runs: count("runs"), costs: count("costs"), facts: count("facts") };
  } finally {
    await close();
  }
}
