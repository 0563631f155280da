import { call, fails, message, times } from "@sheepdog/guardian/testing";
import { describe } from "vitest";
import { check, hinted, knownMiss, noticed, silent, stopped, withoutForce } from "./situation.ts";
import { at, hexId, pick, scramble } from "./values.ts";

const tables = [
  "orders",
  "users",
  "refunds",
  "carriers",
  "parcels",
  "vouchers",
  "returns",
  "stock_moves",
  "price_rules",
  "sessions",
] as const;
const folder = "/srv/data/import";

const rowsOf = (table: string, seed: number) =>
  [0, 1, 2].map((row) => ({
    id: seed * 100 + row,
    ref: hexId(seed * 3 + row, 10),
    total: scramble(seed + row) % 90_000,
    source: table,
  }));
const query = (sql: string, rows: unknown) => call("mcp__postgres__query", { sql }, JSON.stringify(rows, null, 2));
const textFile = (i: number) =>
  call(
    "read_text_file",
    { path: `${folder}/2026-04-${String(i + 1).padStart(2, "0")}.csv` },
    [
      "date,parcel,weight",
      `2026-04-${i + 1},P${scramble(i) % 9999},${(scramble(i) % 300) / 10}`,
      `2026-04-${i + 1},P${scramble(i + 50) % 9999},2.5`,
    ].join("\n"),
  );

describe("the filesystem server and SQL, legitimate", () => {
  check([
    withoutForce(
      "tables that an old schema does not have",
      times(10, (i) =>
        fails(
          "mcp__postgres__query",
          { sql: `SELECT count(*) FROM ${pick(tables, i)}` },
          `relation "${pick(tables, i)}" does not exist`,
        ),
      ),
    ),
    withoutForce(
      "the same complaint by a SQLite tool about different tables",
      times(7, (i) =>
        fails(
          "execute_sql",
          { database: "legacy.db", statement: `PRAGMA table_info(${pick(tables, i)})` },
          `Table ${pick(tables, i)} not found`,
        ),
      ),
    ),
    withoutForce(
      "orphans of each table: none",
      times(10, (i) =>
        query(`SELECT t.id FROM ${pick(tables, i)} t LEFT JOIN users u ON u.id = t.user_id WHERE u.id IS NULL`, []),
      ),
    ),
    silent(
      "a look at three rows of each table",
      times(10, (i) => query(`SELECT * FROM ${pick(tables, i)} ORDER BY id DESC LIMIT 3`, rowsOf(pick(tables, i), i))),
    ),
    silent(
      "a queue that a worker empties, counted every time",
      times(14, (i) =>
        query("SELECT count(*) AS waiting FROM jobs WHERE state = 'waiting'", [{ waiting: 840 - i * 57 }]),
      ),
    ),
    silent(
      "a batch of updates by key range, then the same check",
      times(9, (i) => [
        call(
          "run_sql",
          { sql: `UPDATE parcels SET weight_g = weight * 1000 WHERE id BETWEEN ${i * 5000} AND ${i * 5000 + 4999}` },
          "UPDATE 5000",
        ),
        call("run_sql", { sql: "SELECT bool_and(weight_g IS NOT NULL) FROM parcels" }, "f"),
      ]),
    ),
    withoutForce("eighteen csv files read once, and once more to compare the sums", [
      ...times(18, textFile),
      ...times(18, textFile),
    ]),
    silent(
      "folders listed from the top to the bottom",
      times(9, (i) =>
        call(
          "list_directory",
          { path: `/srv/data${"/sub".repeat(i)}` },
          `[DIR] sub\n[FILE] ${hexId(i, 5)}.csv\n[FILE] ${hexId(i + 40, 5)}.csv`,
        ),
      ),
    ),
    withoutForce(
      "file searches for names that are not there",
      times(8, (i) =>
        call("search_files", { path: "/srv", pattern: `**/${pick(tables, i)}*.parquet` }, "No matches found"),
      ),
    ),
    silent(
      "a person asks for the row count after each of her own imports",
      times(5, () => [message(), query("SELECT count(*) FROM parcels", [{ count: "128400" }])]),
    ),
    silent(
      "files written one for each table, all answered with the same words",
      times(10, (i) =>
        call(
          "write_file",
          { path: `/srv/models/${pick(tables, i)}.sql`, content: `select * from raw.${pick(tables, i)}\n` },
          "Successfully wrote file",
        ),
      ),
    ),
  ]);
});

describe("the filesystem server and SQL, loops", () => {
  check([
    stopped(
      "one query with its execution time and pid",
      times(30, (i) =>
        call(
          "mcp__postgres__query",
          { sql: "SELECT state, count(*) FROM jobs GROUP BY state" },
          {
            rows: [
              { state: "failed", count: 12 },
              { state: "waiting", count: 0 },
            ],
            elapsed_ms: 3 + (scramble(i) % 40),
            pid: 20_000 + (scramble(i) % 3000),
          },
        ),
      ),
      { byCall: 8 },
    ),
    stopped(
      "a misspelt column, again and again",
      times(25, () =>
        fails(
          "mcp__postgres__query",
          { sql: "SELECT parcel_wieght FROM parcels LIMIT 10" },
          'column "parcel_wieght" does not exist\nHINT: Perhaps you ' +
            'meant to reference the column "parcels.parcel_weight".',
        ),
      ),
      { byCall: 5 },
    ),
    hinted(
      "one count in ten spellings with the same long plan as answer",
      times(10, (i) =>
        call(
          "explain_query",
          {
            sql:
              `EXPLAIN ${pick(["select", "SELECT", "Select"], i)} count(*) /* ` +
              `try ${i} */ FROM parcels WHERE weight > 30 AND state = 'lost'`,
          },
          "Aggregate  (cost=18334.11..18334.12 rows=1 width=8)\n  ->  " +
            "Seq Scan on parcels  (cost=0.00..18331.00 rows=1244 width=0)\n" +
            "        Filter: ((weight > '30'::numeric) AND (state = 'lost'::text))\nJIT: " +
            "Functions: 4 Options: Inlining false, Optimization false",
        ),
      ),
    ),
    noticed(
      "four passes over ten csv files that stay as they are",
      times(40, (i) => textFile(i % 10)),
      { byCall: 40 },
    ),
    stopped(
      "an edit whose old text is not in the file",
      times(25, () =>
        fails(
          "edit_file",
          { path: "/srv/models/parcels.sql", edits: [{ oldText: "where weight > 3O", newText: "where weight > 30" }] },
          "Could not find exact match for edit:\nwhere weight > 3O",
        ),
      ),
      { byCall: 5 },
    ),
    noticed(
      "the same file written, read and written",
      times(9, () => [
        call("write_file", { path: "/srv/out.json", content: "{}" }, "Successfully wrote to /srv/out.json"),
        call("read_text_file", { path: "/srv/out.json" }, "{}"),
      ]),
      { byCall: 16 },
    ),
    noticed(
      "begin, update and rollback with the same figures",
      times(9, () => [
        call("run_sql", { sql: "BEGIN" }, "BEGIN"),
        call("run_sql", { sql: "UPDATE stock_moves SET qty = 0 WHERE qty < 0" }, "UPDATE 17"),
        call("run_sql", { sql: "ROLLBACK" }, "ROLLBACK"),
      ]),
      { byCall: 18 },
    ),
    knownMiss(
      noticed(
        "a page token that always leads to the same rows",
        times(14, (i) =>
          call(
            "list_rows",
            { dataset: "shop", table: "refunds", page_token: i === 0 ? "" : hexId(i, 24) },
            { rows: rowsOf("refunds", 4), next_page_token: hexId(i + 1, 24), fetched_at: at(i) },
          ),
        ),
      ),
    ),
  ]);
});
