import type { SqliteDatabase, SqliteStatement, SqliteValue } from "@sheepdog/records";

/** A row by column name. */
export type Row = Readonly<Record<string, SqliteValue>>;

/** After this many failed reads the rest of a table is skipped. */
const maxFailures = 2_000;

/** The readable rows of a table. `failures()` counts the failed reads so far. */
export interface TableReading {
  readonly rows: Iterable<Row>;
  failures(): number;
}

/**
 * Reads the rows of a table with an integer key: from the first row up to the damage, and from the last row back to it.
 * The range between is halved again and again, the largest ranges first.
 */
export function readRows(database: SqliteDatabase, table: string, key: string): TableReading {
  let failed = 0;
  function* rows(): Generator<Row> {
    const select = (order: string) =>
      prepare(database, `SELECT * FROM ${table} WHERE ${key} BETWEEN ? AND ? ORDER BY ${key} ${order}`);
    const ascending = select("ASC");
    const descending = select("DESC");
    if (ascending === undefined || descending === undefined) {
      failed += 1;
      return;
    }
    const ranges: (readonly [first: number, last: number])[] = [[0, Number.MAX_SAFE_INTEGER]];
    for (let range = ranges.shift(); range !== undefined && failed < maxFailures; range = ranges.shift()) {
      let [first, last] = range;
      const isComplete = yield* rowsUntilDamage(ascending, range, (row) => {
        first = Math.max(first, Number(row[key]) + 1);
      });
      if (isComplete) continue;
      failed += 1;
      yield* rowsUntilDamage(descending, [first, last], (row) => {
        last = Math.min(last, Number(row[key]) - 1);
      });
      const middle = Math.floor(first + (last - first) / 2);
      if (last > first) ranges.push([first, middle], [middle + 1, last]);
    }
  }
  return { rows: { [Symbol.iterator]: rows }, failures: () => failed };
}

/**
 * Reads the rows of a table with text keys: from both ends up to the damage, then the rows between for each known value
 * of the first key. A row may come twice.
 */
export function readRowsByTextKey(
  database: SqliteDatabase,
  table: string,
  { keys, firstKeys }: TextKeys,
): TableReading {
  let failed = 0;
  function* rows(): Generator<Row> {
    const select = (where: string, order: string) =>
      prepare(database, `SELECT * FROM ${table} ${where} ORDER BY ${keys.map((key) => `${key} ${order}`).join(", ")}`);
    function* fromBothEnds(where: string, values: readonly SqliteValue[]): Generator<Row> {
      const ascending = select(where, "ASC");
      if (ascending !== undefined && (yield* rowsUntilDamage(ascending, values))) return;
      failed += 1;
      const descending = select(where, "DESC");
      if (descending !== undefined) yield* rowsUntilDamage(descending, values);
    }
    yield* fromBothEnds("", []);
    if (failed === 0) return;
    for (const firstKey of firstKeys) yield* fromBothEnds(`WHERE ${keys[0]} = ?`, [firstKey]);
  }
  return { rows: { [Symbol.iterator]: rows }, failures: () => failed };
}

interface TextKeys {
  /** The columns of the primary key. */
  readonly keys: readonly string[];
  /** Values that the first key may have. */
  readonly firstKeys: readonly string[];
}

/** Yields rows until there are no more, or reading fails. Returns whether it reached the end. */
function* rowsUntilDamage(
  statement: SqliteStatement,
  values: readonly SqliteValue[],
  onRow: (row: Row) => void = () => undefined,
): Generator<Row, boolean> {
  try {
    for (const row of statement.iterate(...values) as Iterable<Row>) {
      onRow(row); // before the yield, so that the row is not read again
      yield row;
    }
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return false; // the caller counts the failure
  }
}

function prepare(database: SqliteDatabase, sql: string): SqliteStatement | undefined {
  try {
    return database.prepare(sql);
  } catch {
    return undefined; // the schema is damaged
  }
}
