import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import type { SqliteDatabase, SqliteStatement, SqliteValue } from "@sheepdog/records";
import { type Row, readRows, readRowsByTextKey, type TableReading } from "./damaged-table.ts";
import { cleanSessionRow, isValidRow, type SalvagedTable } from "./row-validation.ts";
import { repairSalvagedRows, type SalvageReport } from "./salvage-repair.ts";

/** Rows copied before the event loop gets a turn: a few milliseconds. */
const rowsPerStep = 500;

const tablesByIntegerKey = [
  ["sessions", "key"],
  ["messages", "row_key"],
  ["events", "row_key"],
  ["runs", "row_key"],
  ["checkpoints", "session"],
  ["facts", "n"],
  ["removals", "session"],
  ["audit", "n"],
  ["lessons", "n"],
] as const;

/**
 * Copies every readable row of a damaged database into a new one and derives all other data from the copied rows.
 * No other process may use the two databases meanwhile.
 */
export async function salvage(from: SqliteDatabase, to: SqliteDatabase): Promise<SalvageReport> {
  const lost: string[] = [];
  to.exec("BEGIN IMMEDIATE");
  for (const [table, key] of tablesByIntegerKey)
    if (!isMissing(from, table)) lost.push(...(await copyTable(to, table, readRows(from, table, key))));
  await copyTable(to, "event_batches", readRows(from, "event_batches", "position")); // lost ones are derived again
  const firstKeys = sessionIds(from, to);
  const lostAmounts: string[] = [];
  for (const table of ["costs", "reservations"] as const) {
    const reading = readRowsByTextKey(from, table, { keys: ["session_id", "id"], firstKeys });
    lostAmounts.push(...(await copyTable(to, table, reading)));
  }
  const repair = repairSalvagedRows(to, savedFence(from));
  to.exec("COMMIT");
  return {
    lost: [...lost, ...lostAmounts, ...repair.lost],
    incomplete: repair.incomplete,
    areAmountsLost: lostAmounts.length > 0,
    balances: savedBalances(from),
  };
}

/** Counts the rows of the most important tables that can be read. */
export async function countReadableRows(database: SqliteDatabase): Promise<number> {
  let count = 0;
  for (const [table, key] of tablesByIntegerKey) {
    if (table !== "sessions" && table !== "messages" && table !== "runs") continue;
    for (const _row of readRows(database, table, key).rows) {
      count += 1;
      if (count % rowsPerStep === 0) await nextEventLoopTurn();
    }
  }
  return count;
}

/** Copies the columns that both databases have. Returns sentences about what is lost. */
async function copyTable(
  to: SqliteDatabase,
  table: SalvagedTable,
  { rows, failures }: TableReading,
): Promise<readonly string[]> {
  const insert = createInsert(to, table);
  let [count, damaged, duplicates] = [0, 0, 0];
  for (const row of rows) {
    count += 1;
    if (count % rowsPerStep === 0) await nextEventLoopTurn();
    const outcome = isValidRow[table](row) ? insert(table === "sessions" ? cleanSessionRow(row) : row) : "refused";
    if (outcome === "refused") damaged += 1;
    if (outcome === "duplicate") duplicates += 1;
  }
  if (failures() === 0) damaged += duplicates; // after a failure, a row may have been read from both ends
  return [
    ...(damaged > 0 ? [`${damaged} ${damaged === 1 ? "row" : "rows"} of ${table}: what they hold is damaged`] : []),
    ...(failures() > 0 ? [`rows of ${table}: some pages could not be read`] : []),
  ];
}

/** Whether a database of an older version does not have the table. False if its schema cannot be read. */
function isMissing(from: SqliteDatabase, table: string): boolean {
  try {
    return from.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table) === undefined;
  } catch {
    return false; // reading the table reports the damage
  }
}

function createInsert(to: SqliteDatabase, table: string): (row: Row) => "added" | "duplicate" | "refused" {
  const columns = to.prepare("SELECT name FROM pragma_table_info(?)").all(table) as { readonly name: string }[];
  const inserts = new Map<string, SqliteStatement>();
  return (row) => {
    const names = columns.map(({ name }) => name).filter((name) => row[name] !== undefined);
    const list = names.join(", ");
    try {
      const insert =
        inserts.get(list) ??
        to.prepare(`INSERT INTO ${table} (${list}) VALUES (${names.map(() => "?").join(", ")}) ON CONFLICT DO NOTHING`);
      inserts.set(list, insert);
      const { changes } = insert.run(...names.map((name): SqliteValue => row[name] ?? null));
      return Number(changes) === 1 ? "added" : "duplicate";
    } catch {
      return "refused"; // a constraint of the table is violated
    }
  };
}

/** What was spent, by day and month; undefined if some of it cannot be read. */
function savedBalances(from: SqliteDatabase): ReadonlyMap<string, number> | undefined {
  const { rows, failures } = readRowsByTextKey(from, "balances", {
    keys: ["kind", "name"],
    firstKeys: ["day", "month"],
  });
  const balances = new Map(Array.from(rows, ({ kind, name, spent }) => [`${kind} ${name}`, Number(spent)]));
  return failures() === 0 ? balances : undefined;
}

/** Ids of sessions that may have rows in the cost ledger. */
function sessionIds(from: SqliteDatabase, to: SqliteDatabase): readonly string[] {
  const sessions = to.prepare("SELECT id FROM sessions").all() as { readonly id: string }[]; // the selected column
  const balances = readRowsByTextKey(from, "balances", { keys: ["kind", "name"], firstKeys: ["session"] }).rows;
  const names = Array.from(balances).flatMap(({ kind, name }) =>
    kind === "session" && typeof name === "string" ? [name] : [],
  );
  return [...new Set([...sessions.map(({ id }) => id), ...names])];
}

/** The last fence that the damaged database gave out, as far as it can be read. */
function savedFence(from: SqliteDatabase): number {
  const fences = Array.from(readRows(from, "fences", "rowid").rows, ({ last }) =>
    typeof last === "number" && Number.isSafeInteger(last) ? last : 0,
  );
  return Math.max(0, ...fences);
}
