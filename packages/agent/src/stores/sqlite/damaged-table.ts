import type { SqliteDatabase, SqliteStatement, SqliteValue } from "@sheepdog/records";

/** A row by the names of its columns. */
export type Row = Readonly<Record<string, SqliteValue>>;

/** How often reading may fail in one table before the rest of it is given up. */
const maxFailures = 2_000;

/** What could be read of a table, row by row; `failures` counts how often reading failed. */
export interface TableReading {
  readonly rows: Iterable<Row>;
  failures(): number;
}

/**
 * The rows of a table whose key is a whole number, as far as they can be read: from the first on up to the damage, from the last on back to it, and what lies
 * between is halved again and again, the largest parts first.
 */
export function readRows(database: SqliteDatabase, table: string, key: string): TableReading {
  let failed = 0;
  function* rows(): Generator<Row> {
    const [up, down] = ["ASC", "DESC"].map((order) =>
      prepare(database, `SELECT * FROM ${table} WHERE ${key} BETWEEN ? AND ? ORDER BY ${key} ${order}`),
    );
    if (up === undefined || down === undefined) {
      failed += 1;
      return;
    }
    const parts: (readonly [first: number, last: number])[] = [[0, Number.MAX_SAFE_INTEGER]];
    for (let part = parts.shift(); part !== undefined && failed < maxFailures; part = parts.shift()) {
      let [first, last] = part;
      const ahead = yield* until(up, part, (row) => (first = Math.max(first, Number(row[key]) + 1)));
      if (ahead) continue;
      failed += 1;
      yield* until(down, [first, last], (row) => (last = Math.min(last, Number(row[key]) - 1)));
      const middle = Math.floor(first + (last - first) / 2);
      if (last > first) parts.push([first, middle], [middle + 1, last]);
    }
  }
  return { rows: { [Symbol.iterator]: rows }, failures: () => failed };
}

/**
 * The rows of a table whose keys are texts: from both ends, as far as they can be read, and what lies between for each first key that is known from elsewhere.
 * Rows may come twice.
 */
export function readRowsByTextKey(
  database: SqliteDatabase,
  table: string,
  { keys, firstKeys }: TextKeys,
): TableReading {
  let failed = 0;
  function* rows(): Generator<Row> {
    const select = (where: string, order: string) =>
      `SELECT * FROM ${table} ${where} ORDER BY ${keys.map((key) => `${key} ${order}`).join(", ")}`;
    for (const [where, values] of [
      ["", [undefined]],
      [`WHERE ${keys[0]} = ?`, firstKeys],
    ] as const) {
      const [up, down] = ["ASC", "DESC"].map((order) => prepare(database, select(where, order)));
      const before = failed;
      for (const value of values) {
        const asked = value === undefined ? [] : [value];
        if (up !== undefined && (yield* until(up, asked, () => undefined))) continue;
        failed += 1;
        if (down !== undefined) yield* until(down, asked, () => undefined);
      }
      if (failed === before) return;
    }
  }
  return { rows: { [Symbol.iterator]: rows }, failures: () => failed };
}

/** By what a table is ordered, and which values the first of its keys may have. */
interface TextKeys {
  readonly keys: readonly string[];
  readonly firstKeys: readonly string[];
}

/** Hands out rows until there are no more, or reading fails; says which. */
function* until(
  statement: SqliteStatement,
  values: readonly SqliteValue[],
  passed: (row: Row) => void,
): Generator<Row, boolean> {
  try {
    for (const row of statement.iterate(...values) as Iterable<Row>) {
      passed(row); // before it is handed out: it is not asked for again
      yield row;
    }
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false; // damage; it is counted by the one who asked
  }
}

function prepare(database: SqliteDatabase, sql: string): SqliteStatement | undefined {
  try {
    return database.prepare(sql);
  } catch {
    return undefined; // what says which tables there are is damaged
  }
}
