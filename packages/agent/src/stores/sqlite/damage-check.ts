import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type Query, type QueryResults, queryDatabase, queryHere } from "./database-query.ts";
import { isBusy, isDamage, primaryCode } from "./errors.ts";
import { type LockWait, retryWhileLocked } from "./lock-wait.ts";
import { belongsToAnotherDatabase } from "./log-owner.ts";
import { migrations } from "./migrations.ts";
import { applicationId } from "./schema.ts";
import { readWriteAheadLog } from "./write-ahead-log.ts";

/**
 * Looks for damage in a database that this process does not have open. Returns a description, or undefined.
 *
 * It changes nothing: an ordinary connection would move the log into the database when it closes. The log is checked
 * first, because SQLite does not notice a damaged log or the log of another database. All checks run at every open for
 * writing: a disk can damage a file without leaving a trace. What rows hold is no damage: another program may have
 * written them.
 */
export async function findDamage(
  options: LockWait & { readonly quickCheck?: boolean | undefined },
): Promise<string | undefined> {
  const { path, quickCheck = true } = options;
  if (!existsSync(path)) return undefined;
  const logDamage = await findLogDamage(path);
  if (logDamage !== undefined) return logDamage;
  const checks = quickCheck ? [brokenPages, brokenFactIndex] : [brokenFactIndex];
  const { rows, error } = await retryWhileLocked(() => runChecks(path, checks), options);
  for (const [index, row] of rows.entries()) {
    const finding = checks[index]?.finding(row);
    if (finding !== undefined) return finding;
  }
  return error === undefined ? undefined : describeDamage(error, path);
}

/** A query, and what its result means. */
interface Check extends Query {
  finding(row: unknown): string | undefined;
}

async function runChecks(path: string, checks: readonly Check[]): Promise<QueryResults> {
  const queries = checks.map(({ sql, values = [] }) => ({ sql, values })); // without functions, for the worker
  const results = await queryDatabase(path, queries);
  if (isBusy(results.error)) throw results.error;
  return results;
}

/** Reads the log several times, because another process may be writing to it. */
export async function findLogDamage(path: string): Promise<string | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const wal = readWriteAheadLog(`${path}-wal`);
    if (wal === undefined) return undefined;
    if (wal.damage === undefined)
      return (await belongsToAnotherDatabase(path, wal))
        ? "its write-ahead log is that of another database"
        : undefined;
    if (attempt === 4) return wal.damage;
    await pause(50);
  }
}

/** Takes as long as `quick_check`, which would not check the order of keys: the large tables have no other index. */
const brokenPages: Check = {
  sql: "PRAGMA integrity_check(1)",
  finding: (row) => (firstColumn(row) === "ok" ? undefined : firstColumn(row)),
};

/** Throws when the full-text index is broken. */
const brokenFactIndex: Check = {
  sql: "SELECT 1 FROM fact_words WHERE fact_words MATCH ? LIMIT 1",
  values: ["a"],
  finding: () => undefined,
};

function firstColumn(row: unknown): string {
  return String(Object.values(row as Readonly<Record<string, unknown>>)[0]); // checks select one column
}

/** SQLITE_ERROR, for example a missing table. */
const genericError = 1;

/** Describes an error that means damage; undefined for other errors, which opening the database will report. */
async function describeDamage(error: unknown, path: string): Promise<string | undefined> {
  if (!(error instanceof Error)) throw error;
  // All queries are valid for our schema, so a generic error in our own database means damage.
  const isDamaged = isDamage(error) || (primaryCode(error) === genericError && (await isOurDatabase(path)));
  return isDamaged ? error.message : undefined;
}

async function isOurDatabase(path: string): Promise<boolean> {
  const { rows } = await queryHere(path, [
    { sql: "SELECT application_id AS id, user_version AS version FROM pragma_application_id, pragma_user_version" },
  ]);
  const [row] = rows as readonly { readonly id: number; readonly version: number }[]; // the selected columns
  return row?.id === applicationId && row.version === migrations.length;
}
