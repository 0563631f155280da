import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { sqliteCode } from "@sheepdog/records";
import { type Query, type QueryResults, queryDatabase, queryHere } from "./database-query.ts";
import { isBusy } from "./errors.ts";
import { type LockWait, retryWhileLocked } from "./lock-wait.ts";
import { belongsToAnotherDatabase } from "./log-owner.ts";
import { migrations } from "./migrations.ts";
import { rowKey } from "./row-key.ts";
import { applicationId } from "./schema.ts";
import { readWriteAheadLog } from "./write-ahead-log.ts";

/**
 * Looks for damage in a database that this process does not have open, and changes nothing: not even in what a connection does when it closes, which is to move
 * the log into the database. What SQLite would not notice is looked at first, since it takes a log that is damaged, or another's, for its own. A large database
 * is looked through in a thread of its own. That the last process ended well is no reason to look less: what a disk does to a file leaves no trace.
 */
export async function findDamage(
  options: LockWait & { readonly quickCheck?: boolean | undefined },
): Promise<string | undefined> {
  const { path, quickCheck = true } = options;
  if (!existsSync(path)) return undefined;
  const damage = await walDamage(path);
  if (damage !== undefined) return damage;
  const looks = quickCheck
    ? [brokenPages, ...brokenText, wrongBalances, missingRows, lostWords]
    : [missingRows, lostWords];
  const { rows, error } = await retryWhileLocked(() => ask(path, looks), options);
  for (const [index, row] of rows.entries()) {
    const finding = looks[index]?.finding(row);
    if (finding !== undefined) return finding;
  }
  return error === undefined ? undefined : damageOf(error, path);
}

/** Something to look for: a question, and what its answer means. */
interface Look extends Query {
  finding(row: unknown): string | undefined;
}

async function ask(path: string, looks: readonly Look[]): Promise<QueryResults> {
  const answers = await queryDatabase(
    path,
    looks.map(({ sql, values = [] }) => ({ sql, values })),
  );
  if (isBusy(answers.error)) throw answers.error;
  return answers;
}

/** A process may be writing to the log just now: only damage that stays is damage. */
async function walDamage(path: string): Promise<string | undefined> {
  for (let look = 1; ; look += 1) {
    const wal = readWriteAheadLog(`${path}-wal`);
    if (wal === undefined) return undefined;
    if (wal.damage === undefined)
      return (await belongsToAnotherDatabase(path, wal))
        ? "its write-ahead log is that of another database"
        : undefined;
    if (look === 4) return wal.damage;
    await pause(50);
  }
}

/** All tables with their keys. It takes as long as a quick check, which does not look at the order of keys: the large tables have no other index. */
const brokenPages: Look = {
  sql: "PRAGMA integrity_check(1)",
  finding: (row) => (textIn(row) === "ok" ? undefined : textIn(row)),
};

/** SQLite finds what is wrong with its pages, and not with what is written on them. It takes about 0.07 s for each 100 MB. */
const brokenText: readonly Look[] = ["messages", "runs", "events", "checkpoints", "checkpoint_changes", "facts"].map(
  (table) => ({
    sql: `SELECT 1 FROM ${table} WHERE NOT json_valid(json) LIMIT 1`,
    finding: (row) => (row === undefined ? undefined : `a row of ${table} cannot be read`),
  }),
);

/** Whether what was spent by sessions, by days and by months is each what all rows of the books add up to. */
const wrongBalances: Look = {
  sql: `SELECT kind FROM (SELECT 'session' AS kind UNION SELECT 'day' UNION SELECT 'month') LEFT JOIN balances USING (kind) GROUP BY kind
    HAVING coalesce(sum(spent), 0) <> (SELECT coalesce(sum(cost_nano_usd), 0) FROM costs) LIMIT 1`,
  finding: (row) => (row === undefined ? undefined : `the books do not add up by ${textIn(row)}`),
};

const places = rowKey(1, 0);
const lastOf = (table: string) =>
  `coalesce((SELECT max(place) - key * ${places} FROM ${table} WHERE place BETWEEN key * ${places} AND (key + 1) * ${places} - 1), 0)`;

/** Whether the sessions have the rows they say they have, and both parts of a checkpoint: one look into each table for each session. */
const missingRows: Look = {
  sql: `SELECT id FROM sessions WHERE messages <> ${lastOf("messages")} OR runs <> ${lastOf("runs")} OR last_seq < ${lastOf("events")}
    OR (SELECT n FROM checkpoints WHERE session = key) IS NOT (SELECT n FROM checkpoint_changes WHERE session = key) LIMIT 1`,
  finding: (row) => (row === undefined ? undefined : `session ${textIn(row)} does not have the rows it should have`),
};

/** Whether facts can be searched for. */
const lostWords: Look = {
  sql: "SELECT 1 FROM fact_words WHERE fact_words MATCH ? LIMIT 1",
  values: ["a"],
  finding: () => undefined,
};

/** The one column of a row. */
function textIn(row: unknown): string {
  return String(Object.values(row as Readonly<Record<string, unknown>>)[0]); // as asked for
}

/** What SQLite says of a broken database. Anything else is told by the one who opens it to use it. */
async function damageOf(error: unknown, path: string): Promise<string | undefined> {
  if (!(error instanceof Error)) throw error;
  const code = (sqliteCode(error) ?? 0) & 0xff;
  const isDamage = code === 11 || code === 26 || (code === 1 && (await isOurs(path))); // in a database of ours, every question can be asked
  return isDamage ? error.message : undefined;
}

async function isOurs(path: string): Promise<boolean> {
  const { rows } = await queryHere(path, [
    { sql: "SELECT application_id AS id, user_version AS version FROM pragma_application_id, pragma_user_version" },
  ]);
  const [row] = rows as readonly { readonly id: number; readonly version: number }[]; // as asked for
  return row?.id === applicationId && row.version === migrations.length;
}
