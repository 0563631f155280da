import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { createRunFile } from "./run-file.ts";

const folder = mkdtempSync(join(tmpdir(), "rebuild-file-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("runs are written one a line into a compressed file in a new folder", async () => {
  const file = createRunFile(join(folder, "new"));
  await file.write({ id: "a", text: "two\nlines" });
  await file.write({ id: "b" });
  const path = await file.close();
  expect(path).toBe(join(folder, "new", "labelled-runs.jsonl.gz"));
  expect(gunzipSync(readFileSync(path ?? "")).toString()).toBe('{"id":"a","text":"two\\nlines"}\n{"id":"b"}\n');
  expect(readdirSync(join(folder, "new"))).toEqual(["labelled-runs.jsonl.gz"]);
});

test("without any run an earlier file stays as it is", async () => {
  const earlier = join(folder, "labelled-runs.jsonl.gz");
  writeFileSync(earlier, "earlier");
  expect(await createRunFile(folder).close()).toBeUndefined();
  expect(readFileSync(earlier, "utf8")).toBe("earlier");
  expect(existsSync(`${earlier}.incomplete`)).toBe(false);
});
