import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { type RestoreReport, restoreFromLogs } from "../log-restore.ts";
import { rebuildNote } from "../logged-run.ts";
import { recordLostAmounts } from "../lost-amounts.ts";
import { withEveryResult } from "../session-merge.ts";
import type { Holder, Stores } from "../stores.ts";
import { dayOf, monthOf } from "../utc.ts";
import { readFirstPage, removeDatabase } from "./damaged-copy.ts";
import { openDamagedDatabase } from "./damaged-database.ts";
import { openSqlite } from "./open-sqlite.ts";
import { beginRebuild, finishRebuild } from "./rebuild-journal.ts";
import { salvage } from "./salvage.ts";
import type { SalvageReport } from "./salvage-repair.ts";
import { sqliteStores } from "./sqlite-stores.ts";

export interface RebuildOptions {
  readonly path: string;
  /** Folder of the run logs. Without it, only the damaged database is a source. */
  readonly logDir?: string | undefined;
  readonly at: number;
  readonly holder: Holder;
}

/** What a rebuild did. The counts are those of the new database. */
export interface RebuildReport {
  /** Where the damaged database is now; undefined when the database was missing. */
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
  /** Sentences about what the damaged database lost; empty when nothing was lost. Run logs may have restored parts. */
  readonly lost: readonly string[];
}

/**
 * Builds a new database from the readable rows of a damaged one and from run logs.
 *
 * The damaged database is only renamed. The new one appears at the path when it is complete, so that a process that is
 * killed meanwhile never leaves a partial database there. Only one process may rebuild at a time.
 */
export async function rebuild(options: RebuildOptions): Promise<RebuildReport> {
  const { path, at } = options;
  const paths = beginRebuild(path, at);
  const { movedTo, draft, alsoMoved } = paths;
  const salvaged = await salvageInto(draft, movedTo, `${path}.salvage-${randomUUID()}`);
  const restored = await restoreInto(draft, { salvaged, isMissing: movedTo === undefined }, options);
  const counts = await countRows(draft);
  finishRebuild(path, paths);
  const writtenMeanwhile =
    alsoMoved === undefined ? [] : [`what was written while the rebuild was interrupted: it is at ${alsoMoved}`];
  return {
    ...(movedTo === undefined ? {} : { movedTo }),
    ...counts,
    runsFromLogs: restored.runs,
    areAmountsLost: restored.areAmountsLost,
    lost: [...salvaged.lost, ...writtenMeanwhile, ...restored.lost],
  };
}

/** Creates the new database and copies every readable row of the damaged one into it. */
async function salvageInto(draft: string, damagedPath: string | undefined, copy: string): Promise<SalvageReport> {
  await (await openSqlite({ path: draft })).close();
  const nothing = { lost: [], incomplete: new Set<string>() };
  if (damagedPath === undefined) return { ...nothing, areAmountsLost: false };
  if (!existsSync(damagedPath))
    return { ...nothing, lost: ["what was written last: only the write-ahead log was there"], areAmountsLost: true };
  const damaged = await openDamagedDatabase({ path: damagedPath, copy, firstPage: readFirstPage(draft) });
  try {
    if (damaged.database === undefined) return { ...nothing, lost: damaged.lost, areAmountsLost: true };
    const { safe, close } = await openSqlite({ path: draft });
    try {
      const report = await salvage(damaged.database, safe.database);
      if (damaged.lost.length === 0) return report;
      // What was written last is lost, and the balances are those from before it.
      return { ...report, lost: [...damaged.lost, ...report.lost], areAmountsLost: true, balances: undefined };
    } finally {
      await close();
    }
  } finally {
    damaged.database?.close();
    removeDatabase(copy);
  }
}

async function restoreInto(
  draft: string,
  { salvaged, isMissing }: { readonly salvaged: SalvageReport; readonly isMissing: boolean },
  { logDir, at, holder }: RebuildOptions,
): Promise<RestoreReport & Pick<SalvageReport, "areAmountsLost">> {
  const { incomplete } = salvaged;
  const stores = await sqliteStores({ path: draft });
  try {
    const restored =
      logDir === undefined ? { runs: 0, lost: [] } : await restoreFromLogs({ stores, logDir, at, holder, incomplete });
    for (const sessionId of incomplete) await noteLoss(stores, sessionId, { at, holder });
    const areAmountsLost = (isMissing && restored.lost.length > 0) || (await areAmountsMissing(stores, salvaged, at));
    if (areAmountsLost) await recordLostAmounts(stores, { at, holder });
    return { ...restored, areAmountsLost };
  } finally {
    await stores.close();
  }
}

/**
 * Whether the new ledger may lack amounts of this day and month. What rows of the damaged ledger lack may be in the
 * logs: its balances say so.
 */
async function areAmountsMissing(
  stores: Stores,
  { areAmountsLost, balances }: SalvageReport,
  at: number,
): Promise<boolean> {
  if (!areAmountsLost) return false;
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
  const { safe, close } = await openSqlite({ path, quickCheck: false });
  try {
    const count = (from: string) =>
      (safe.database.prepare(`SELECT count(*) AS rows FROM ${from}`).get() as { readonly rows: number }).rows;
    return {
      sessions: count("sessions WHERE updated_at IS NOT NULL"),
      messages: count("messages"),
      runs: count("runs"),
      costs: count("costs"),
      facts: count("facts"),
    };
  } finally {
    await close();
  }
}
