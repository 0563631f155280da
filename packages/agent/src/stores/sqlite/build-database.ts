import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { thisProcess } from "../holder.ts";
import { type RestoreReport, restoreFromLogs } from "../log-restore.ts";
import { rebuildNote } from "../logged-run.ts";
import { recordLostAmounts } from "../lost-amounts.ts";
import { withEveryResult } from "../session-merge.ts";
import type { Holder, Stores } from "../stores.ts";
import { dayOf, monthOf } from "../utc.ts";
import { type CopyReport, copyTables } from "./copy-tables.ts";
import { hasWriteAheadLog, rebuiltPath } from "./missing-database.ts";
import { connectReadOnly } from "./open-read-only.ts";
import { openSqlite } from "./open-sqlite.ts";
import { sqliteStores } from "./sqlite-stores.ts";

export interface BuildOptions {
  readonly path: string;
  /** Folder of the run logs. Without it, only the damaged database is a source. */
  readonly logDir?: string | undefined;
  readonly at: number;
  readonly holder?: Holder;
}

/** What a rebuild did. The counts are those of the new database. */
export interface RebuildReport {
  /** Where the old database is now; undefined when there was none. */
  readonly movedTo?: string;
  readonly sessions: number;
  readonly messages: number;
  readonly runs: number;
  readonly costs: number;
  readonly facts: number;
  /** How many of the runs were restored from their logs. */
  readonly runsFromLogs: number;
  /** Whether the ledger may lack amounts of the day and the month of the rebuild. */
  readonly areAmountsLost: boolean;
  /** Sentences about what the old database lost; empty when nothing was lost. Run logs may have restored parts. */
  readonly lost: readonly string[];
}

/** Builds the new database in a draft. It gets its name when it is complete. */
export async function buildDatabase(rebuilt: string, options: BuildOptions): Promise<RebuildReport> {
  const { path } = options;
  const draft = `${path}.rebuilding-${randomUUID()}`;
  try {
    const copied = await copyInto(draft, path);
    const { runs, lost, areAmountsLost } = await restoreInto(draft, copied, options);
    const counts = await countRows(draft);
    if (hasWriteAheadLog(draft))
      throw new Error(`Expected the new database to be complete in ${draft}, found a part of it in its log.`);
    // A copy: a connection that closes late must not delete the log of the new database.
    copyFileSync(draft, `${draft}.copy`);
    syncFile(`${draft}.copy`);
    renameSync(`${draft}.copy`, rebuilt);
    syncFolder(path);
    return { ...counts, runsFromLogs: runs, areAmountsLost, lost: [...copied.lost, ...lost] };
  } catch (error) {
    removeLeftovers(path);
    throw error;
  }
}

/** The report on a rebuild of which only the end was missing. A row of its ledger says whether amounts are lost. */
export async function finishedReport(rebuilt: string): Promise<RebuildReport> {
  return {
    ...(await countRows(rebuilt)),
    runsFromLogs: 0,
    areAmountsLost: false,
    lost: ["what an earlier rebuild, which was interrupted and is finished now, could not read"],
  };
}

/** Creates the new database and copies the readable tables of the old one into it. */
async function copyInto(draft: string, path: string): Promise<CopyReport> {
  const nothing = { incomplete: new Set<string>(), areCostsLost: true };
  const { safe, close } = await openSqlite({ path: draft });
  try {
    if (!existsSync(path)) {
      if (!hasWriteAheadLog(path)) return { ...nothing, lost: [], areCostsLost: false };
      return { ...nothing, lost: ["what was written last: only the write-ahead log was there"] };
    }
    const old = await connectReadOnly({ path }).catch(() => undefined);
    if (old === undefined) return { ...nothing, lost: ["everything that the database held: SQLite cannot read it"] };
    try {
      return copyTables(old, safe.database);
    } finally {
      old.close();
    }
  } finally {
    await close();
  }
}

async function restoreInto(
  draft: string,
  copied: CopyReport,
  { path, logDir, at, holder = thisProcess() }: BuildOptions,
): Promise<RestoreReport & Pick<RebuildReport, "areAmountsLost">> {
  const { incomplete } = copied;
  const stores = await sqliteStores({ path: draft });
  try {
    const restored =
      logDir === undefined ? { runs: 0, lost: [] } : await restoreFromLogs({ stores, logDir, at, holder, incomplete });
    for (const sessionId of incomplete) await noteLoss(stores, sessionId, { at, holder });
    const areAmountsLost =
      (!existsSync(path) && restored.lost.length > 0) || (await areAmountsMissing(stores, copied, at));
    if (areAmountsLost) await recordLostAmounts(stores, { at, holder });
    return { ...restored, areAmountsLost };
  } finally {
    await stores.close();
  }
}

/**
 * Whether the new ledger may lack amounts of this day and month. What the old ledger lost may be in the logs: its
 * balances say so.
 */
async function areAmountsMissing(stores: Stores, { areCostsLost, balances }: CopyReport, at: number): Promise<boolean> {
  if (!areCostsLost) return false;
  if (balances === undefined) return true;
  const { day, month } = await stores.costs.totals("", at);
  const isRestored = (kind: string, restored: number) => (balances.get(kind) ?? 0) <= restored;
  return !isRestored(`day ${dayOf(at)}`, day) || !isRestored(`month ${monthOf(at)}`, month);
}

const lossNote =
  "The database was damaged and was rebuilt: parts of this conversation are missing. " +
  "Verify before you rely on what is said above.";

/**
 * Tells the model that messages of a session are missing. Calls without a result get an unknown outcome: otherwise they
 * would count as calls that still have to be executed.
 */
async function noteLoss(
  stores: Stores,
  sessionId: string,
  { at, holder }: { readonly at: number; readonly holder: Holder },
): Promise<void> {
  const { messages, unansweredCalls } = await stores.sessions.load(sessionId);
  const savedIds = new Set(messages.map(({ id }) => id));
  const addedResults = withEveryResult(messages, unansweredCalls).filter(({ id }) => !savedIds.has(id));
  const claim = await stores.sessions.claim(sessionId, holder, at);
  if (!claim.ok) throw new Error(`Expected no other process to use session ${sessionId} during the rebuild.`);
  await stores.sessions.commit(claim.lease, { at, messages: [...addedResults, rebuildNote(lossNote, at)] });
  await stores.sessions.release(claim.lease);
}

async function countRows(
  path: string,
): Promise<Pick<RebuildReport, "sessions" | "messages" | "runs" | "costs" | "facts">> {
  const database = await connectReadOnly({ path });
  try {
    const count = (from: string) =>
      (database.prepare(`SELECT count(*) AS rows FROM ${from}`).get() as { readonly rows: number }).rows;
    return {
      sessions: count("sessions WHERE updated_at IS NOT NULL"),
      messages: count("messages"),
      runs: count("runs"),
      costs: count("costs"),
      facts: count("facts"),
    };
  } finally {
    database.close();
  }
}

/** Removes what an interrupted rebuild left: drafts, and a complete database that is not at its place. */
export function removeLeftovers(path: string): void {
  const prefixes = [`${basename(path)}.rebuilding-`, basename(rebuiltPath(path))];
  for (const name of readdirSync(dirname(path)))
    if (prefixes.some((prefix) => name.startsWith(prefix))) rmSync(join(dirname(path), name), { force: true });
}

function syncFile(path: string): void {
  chmodSync(path, 0o600);
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

/** Makes renamed files durable. */
export function syncFolder(path: string): void {
  const folder = openSync(dirname(path), "r");
  fsyncSync(folder);
  closeSync(folder);
}
