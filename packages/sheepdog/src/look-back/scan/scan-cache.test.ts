import { readdirSync, statSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { openDatabase } from "@sheepdog/records";
import { expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import type { FileFacts } from "./file-facts.ts";
import { openScanCache } from "./scan-cache.ts";

const file = scratchFolder();
const now = Date.UTC(2026, 10, 3);

function factsWith(...requests: readonly number[]): FileFacts {
  return {
    runs: [],
    skipped: [{ file: "a.jsonl", line: 3, why: "this is not JSON" }],
    moreSkipped: 1,
    requests: Float64Array.from(requests),
    excerptRequests: Float64Array.of(0.5),
    copies: Float64Array.of(7),
  };
}

async function known(path: string | undefined, recording: string, key = "k") {
  const cache = await openScanCache({ path, key, now });
  const facts = cache.load({ file: recording, version: "1" });
  cache.close();
  return facts;
}

async function remember(path: string | undefined, recordings: readonly string[], options: { key?: string } = {}) {
  const cache = await openScanCache({ path, key: "k", now, ...options });
  for (const recording of recordings) cache.save({ file: recording, version: "1" }, factsWith(1, 2 ** 53 - 1));
  cache.close();
}

test("facts are known for the same version of a file and the same analysis", async () => {
  const path = await file("home/cache/look-back.db");
  const recording = await file("a.jsonl", "");
  await remember(path, [recording]);
  const cache = await openScanCache({ path, key: "k", now });
  expect(cache.load({ file: recording, version: "1" })).toEqual(factsWith(1, 2 ** 53 - 1));
  expect(cache.load({ file: recording, version: "2" })).toBeUndefined();
  expect([cache.has({ file: recording, version: "1" }), cache.has({ file: recording, version: "2" })]).toEqual([
    true,
    false,
  ]);
  cache.close();
  expect(await known(path, recording, "other")).toBeUndefined();
});

test("only their owner can read the files of the cache", async () => {
  const path = `${await file("home")}/cache/look-back.db`;
  const cache = await openScanCache({ path, key: "k", now });
  cache.save({ file: "a", version: "1" }, factsWith());
  const modes = () => readdirSync(dirname(path)).map((name) => statSync(`${dirname(path)}/${name}`).mode & 0o777);
  expect([statSync(dirname(path)).mode & 0o777, ...new Set(modes())]).toEqual([0o700, 0o600]);
  cache.close();
});

test("files that no longer exist are forgotten, and so are analyses that nobody uses", async () => {
  const path = await file("home/cache/look-back.db");
  const [first, second] = [await file("a.jsonl", ""), await file("b.jsonl", "")];
  await remember(path, [first, second]);
  await rm(second);
  await remember(path, [], { key: "other" });
  await remember(path, []);
  await writeFile(second, "");
  expect([await known(path, first), await known(path, second)]).toEqual([factsWith(1, 2 ** 53 - 1), undefined]);
  const later = await openScanCache({ path, key: "other", now: now + 8 * 86_400_000 });
  later.close();
  expect(await known(path, first)).toBeUndefined();
});

test("files of an analysis that is not finished are kept", async () => {
  const path = await file("home/cache/look-back.db");
  const recordings = await Promise.all(Array.from({ length: 60 }, (_, index) => file(`${index}.jsonl`, "")));
  const unfinished = await openScanCache({ path, key: "other", now });
  for (const recording of recordings) unfinished.save({ file: recording, version: "1" }, factsWith());
  await remember(path, []);
  expect(await known(path, recordings[0] ?? "", "other")).toBeDefined();
  unfinished.close();
});

test("a damaged cache is replaced", async () => {
  const path = await file("home/cache/look-back.db", "this is no database ".repeat(1_000));
  const recording = await file("a.jsonl", "");
  await remember(path, [recording]);
  expect(await known(path, recording)).toBeDefined();
  const content = await readFile(path);
  await writeFile(path, content.fill(0x5a, 4_096));
  await remember(path, [recording]);
  await remember(path, [recording]);
  expect(await known(path, recording)).toBeDefined();
});

test("a row that was changed is dropped, and a failure that may pass is not remembered", async () => {
  const path = await file("home/cache/look-back.db");
  const recording = await file("a.jsonl", "");
  for (const change of ["facts = '{}'", "facts = 'null'", "requests = x'00'", "digest = ''"]) {
    await remember(path, [recording]);
    const database = await openDatabase(path);
    database.exec(`UPDATE files SET ${change}`);
    database.close();
    expect([change, await known(path, recording)]).toEqual([change, undefined]);
  }
  await remember(path, [recording]);
  expect(await known(path, recording)).toBeDefined();
  const other = await file("b.jsonl", "");
  const cache = await openScanCache({ path, key: "k", now });
  cache.save({ file: other, version: "1" }, { ...factsWith(), isTemporary: true });
  cache.close();
  expect(await known(path, other)).toBeUndefined();
});

test("where there can be no cache, nothing is known and nothing fails", async () => {
  const recording = await file("a.jsonl", "");
  const folder = dirname(await file("home/cache/look-back.db/x", ""));
  for (const path of [undefined, `${recording}/cache/look-back.db`, folder, "/proc/nowhere/look-back.db"]) {
    await remember(path, [recording]);
    expect(await known(path, recording)).toBeUndefined();
  }
  expect(statSync(folder).isDirectory()).toBe(true);
});

test("two look backs at the same time use one cache", async () => {
  const path = await file("home/cache/look-back.db");
  const recordings = await Promise.all(Array.from({ length: 120 }, (_, index) => file(`${index}.jsonl`, "")));
  const [one, other] = [await openScanCache({ path, key: "k", now }), await openScanCache({ path, key: "k", now })];
  for (const [index, recording] of recordings.entries())
    (index % 2 === 0 ? one : other).save({ file: recording, version: "1" }, factsWith(index));
  one.close();
  other.close();
  const facts = await Promise.all(recordings.map((recording) => known(path, recording)));
  expect(facts.map((each) => each?.requests[0])).toEqual(recordings.map((_, index) => index));
});
