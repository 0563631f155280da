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
  built = mkdtempSync(join(cache, "ask-")); // where its package is found
  module = pathToFileURL(join(built, "records.mjs")).href;
  const input = fileURLToPath(new URL("../../../../records/src/platform/sqlite.ts", import.meta.url));
  const bundle = await rolldown({ input, platform: "node", external: ["@photostructure/sqlite"] });
  await bundle.write({ file: fileURLToPath(module), format: "esm" });
  await bundle.close();
});
afterAll(() => rmSync(built, { recursive: true }));

/** The same, here and aside. */
async function both(path: string, questions: readonly Query[]) {
  return Promise.all([queryHere(path, questions), queryInWorker(path, questions, module)]);
}

async function make(): Promise<string> {
  const database = await openDatabase(inFolder("x.db"));
  database.exec("CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('one'), ('two')");
  database.close();
  return inFolder("x.db");
}

test("a thread of its own gives the answers that this one would give", async () => {
  const questions = [
    { sql: "SELECT x FROM t ORDER BY x DESC" },
    { sql: "SELECT 1 FROM t WHERE x = ?", values: ["three"] },
    { sql: "SELECT count(*) AS n FROM t" },
  ];
  const rows = [{ x: "two" }, undefined, { n: 2 }];
  expect(await both(await make(), questions)).toEqual([{ rows }, { rows }]);
});

test("it cannot write, and tells what failed with its number", async () => {
  const path = await make();
  for (const [sql, errcode] of [
    ["DELETE FROM t", 8],
    ["SELECT y FROM t", 1],
  ] as const) {
    const told = await both(path, [{ sql: "SELECT x FROM t" }, { sql }, { sql: "SELECT x FROM t" }]);
    expect(told).toMatchObject([1, 2].map(() => ({ rows: [{ x: "one" }], error: { errcode } })));
  }
  const file = openSync(path, "r+");
  writeSync(file, "no database at all", 0);
  closeSync(file);
  expect(await both(path, [{ sql: "SELECT x FROM t" }])).toMatchObject(
    [1, 2].map(() => ({ rows: [], error: { errcode: 26 } })),
  );
});

test("where the thread cannot begin, that is said", async () => {
  expect(await queryInWorker(await make(), [{ sql: "SELECT 1" }], "file:///nowhere/at-all.js")).toBeUndefined();
});
