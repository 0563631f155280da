import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openDatabase } from "@sheepdog/records";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Query, queryHere, queryInWorker } from "./database-query.ts";
import { freshFolder } from "./testing/fresh-folder.ts";

const inFolder = freshFolder();
const cache = fileURLToPath(new URL("../../../../../node_modules/.cache", import.meta.url));
let built = "";
let module = "";
beforeAll(async () => {
  mkdirSync(cache, { recursive: true });
  built = mkdtempSync(join(cache, "ask-")); // where Node finds its package
  module = pathToFileURL(join(built, "records.mjs")).href;
  const input = fileURLToPath(new URL("../../../../records/src/platform/sqlite.ts", import.meta.url));
  const bundle = await rolldown({ input, platform: "node", external: ["@photostructure/sqlite"] });
  await bundle.write({ file: fileURLToPath(module), format: "esm" });
  await bundle.close();
});
afterAll(() => rmSync(built, { recursive: true }));

/** The results on this thread and in a worker. */
async function queryBoth(path: string, queries: readonly Query[]) {
  return Promise.all([queryHere(path, queries), queryInWorker(path, queries, module)]);
}

async function createDatabase(): Promise<string> {
  const database = await openDatabase(inFolder("x.db"));
  database.exec("CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('one'), ('two')");
  database.close();
  return inFolder("x.db");
}

test("a worker returns the same results as this thread", async () => {
  const queries = [
    { sql: "SELECT x FROM t ORDER BY x DESC" },
    { sql: "SELECT 1 FROM t WHERE x = ?", values: ["three"] },
    { sql: "SELECT count(*) AS n FROM t" },
  ];
  const rows = [{ x: "two" }, undefined, { n: 2 }];
  expect(await queryBoth(await createDatabase(), queries)).toEqual([{ rows }, { rows }]);
});

test("a worker cannot write, and reports errors with their SQLite code", async () => {
  const path = await createDatabase();
  for (const [sql, errcode] of [
    ["DELETE FROM t", 8],
    ["SELECT y FROM t", 1],
  ] as const) {
    const results = await queryBoth(path, [{ sql: "SELECT x FROM t" }, { sql }, { sql: "SELECT x FROM t" }]);
    expect(results).toMatchObject([1, 2].map(() => ({ rows: [{ x: "one" }], error: { errcode } })));
  }
  const file = openSync(path, "r+");
  writeSync(file, "no database at all", 0);
  closeSync(file);
  expect(await queryBoth(path, [{ sql: "SELECT x FROM t" }])).toMatchObject(
    [1, 2].map(() => ({ rows: [], error: { errcode: 26 } })),
  );
});

test("without a worker the result is undefined", async () => {
  expect(
    await queryInWorker(await createDatabase(), [{ sql: "SELECT 1" }], "file:///nowhere/at-all.js"),
  ).toBeUndefined();
});
