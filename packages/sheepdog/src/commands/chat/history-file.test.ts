import { readFile, stat, symlink } from "node:fs/promises";
import { expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { addToHistory, readHistory, trimHistory } from "./history-file.ts";

const file = scratchFolder();

test("typed texts are saved without secrets in a file for its owner only", async () => {
  const path = await file("home/chat-history.jsonl");
  expect(await addToHistory(path, "one\ntwo")).toBeUndefined();
  await addToHistory(path, "use sk-abcdefghijklmnop1234 please");
  expect(await readHistory(path)).toEqual(["one\ntwo", "use … please"]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a damaged or missing history is read as far as possible", async () => {
  expect(await readHistory(await file("none"))).toEqual([]);
  expect(await readHistory(await file("bad", '{"text":"a"}\nnonsense\n{"text":1}\nnull\n{"text":"b"}\n{"te'))).toEqual([
    "a",
    "b",
  ]);
  const folder = await file("folder/x", "");
  expect(await readHistory(`${folder}/..`)).toEqual([]);
  expect(await addToHistory(`${folder}/..`, "x")).toMatch(/^The history cannot be saved: /);
});

test("control sequences in the file are removed", async () => {
  expect(await readHistory(await file("evil", `${JSON.stringify({ text: "a\u001b[2Jb\u202e\nc" })}\n`))).toEqual([
    "ab\nc",
  ]);
});

test("the newest thousand texts stay", async () => {
  const lines = Array.from({ length: 1_200 }, (_, index) => JSON.stringify({ text: String(index) }));
  const path = await file("long", `${lines.join("\n")}\n`);
  expect((await readHistory(path)).slice(0, 1)).toEqual(["200"]);
  await trimHistory(path);
  expect((await readFile(path, "utf8")).split("\n").length).toBe(1_001);
});

test("a link in place of the file is not followed", async () => {
  const target = await file("target", "untouched");
  const path = `${target}-link`;
  await symlink(target, path);
  expect(await addToHistory(path, "x")).toMatch(/^The history cannot be saved: /);
  expect(await readFile(target, "utf8")).toBe("untouched");
});
