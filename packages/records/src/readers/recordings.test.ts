import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findRecordings } from "./recordings.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sheepdog-"));
});
afterEach(() => rm(root, { recursive: true }));

async function find(...paths: string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const recording of findRecordings(paths.map((path) => join(root, path)))) {
    lines.push(
      recording.type === "file"
        ? relative(root, recording.file)
        : `${relative(root, recording.skipped.file)}: ${recording.skipped.why}`,
    );
  }
  return lines;
}

test("a directory stands for every recording below it, sorted, and links cannot lead in circles", async () => {
  await mkdir(join(root, "b/deep"), { recursive: true });
  for (const name of ["z.jsonl", "a.ndjson", "b/deep/run.jsonl.gz", "b/notes.md", "b/x.json"])
    await writeFile(join(root, name), "");
  await symlink(root, join(root, "b/deep/again"));
  await symlink(join(root, "z.jsonl"), join(root, "b/link.jsonl"));
  await symlink(join(root, "nowhere"), join(root, "gone.jsonl"));
  expect(await find("")).toEqual([
    "a.ndjson",
    "b/deep/run.jsonl.gz",
    "b/link.jsonl",
    "gone.jsonl: there is no such file or directory",
  ]);
});

test("a file is read whatever its name, and only once", async () => {
  await writeFile(join(root, "log.txt"), "");
  expect(await find("log.txt", "./log.txt")).toEqual(["log.txt"]);
});

test("a missing file and a directory without recordings are reported", async () => {
  await mkdir(join(root, "empty"));
  expect(await find("nope.jsonl", "empty")).toEqual([
    "nope.jsonl: there is no such file or directory",
    "empty: there are no recordings (*.jsonl, *.jsonl.gz, *.jsonl.zst, *.ndjson) in this directory",
  ]);
});
