import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createDatabase } from "../../test/fixtures/databases/create-database.ts";
import { fillOpencodeDatabase } from "../../test/fixtures/databases/opencode-database.ts";
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
    ": 1 file (*.json, *.db) is in no known format and left out; to see why, name the file",
  ]);
});

test("sessions that OpenClaw has deleted or reset are recordings in a directory", async () => {
  for (const name of ["a.jsonl.reset.2026-11-02T09-10-00.000Z", "b.jsonl.deleted.1", "c.jsonl.bak", "sessions.json"])
    await writeFile(join(root, name), "");
  expect(await find("")).toEqual([
    "a.jsonl.reset.2026-11-02T09-10-00.000Z",
    "b.jsonl.deleted.1",
    ": 1 file (*.json, *.db) is in no known format and left out; to see why, name the file",
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
    "empty: there are no recordings (*.jsonl, *.ndjson, *.json or a database of an agent) in this directory",
  ]);
});

test("a home folder yields files, documents, databases and folders that are one recording each", async () => {
  const home = fileURLToPath(new URL("../../test/fixtures/home", import.meta.url));
  const ours = [".local/share/opencode", ".local/share/goose", ".openhands", "exports/openhands-trajectory.json"];
  const copy = join(root, "home");
  for (const path of ours) await cp(join(home, path), join(copy, path), { recursive: true });
  await cp(await createDatabase("opencode.db", fillOpencodeDatabase), join(copy, ".local/share/opencode/opencode.db"));
  await cp(await createDatabase("x.db", (other) => other.exec("CREATE TABLE t (x)")), join(copy, "other.db"));
  await writeFile(join(copy, ".local/share/opencode/auth.json"), "{}");
  await writeFile(join(copy, "rollout.jsonl.zst"), "");
  expect(await find("home")).toEqual([
    "home/.local/share/goose/sessions/20251103_090000.jsonl",
    "home/.local/share/opencode/opencode.db",
    "home/.local/share/opencode/storage",
    "home/.openhands/conversations/0b7d5f2e-6a1c-4a53-9e57-3c1f8b0d4e21",
    "home/exports/openhands-trajectory.json",
    "home/rollout.jsonl.zst",
    "home: 2 files (*.json, *.db) are in no known format and left out; to see why, name the file",
  ]);
  expect(await find("home/.local/share/opencode/storage", "home/.local/share/opencode")).toEqual([
    "home/.local/share/opencode/storage",
    "home/.local/share/opencode/opencode.db",
    "home/.local/share/opencode: 1 file (*.json, *.db) is in no known format and left out; to see why, name the file",
  ]);
});

test("folders with the names of a recording's folders are searched when they hold something else", async () => {
  for (const name of ["session", "message", "part"]) await mkdir(join(root, name));
  await writeFile(join(root, "message/a.jsonl"), "");
  expect(await find("")).toEqual(["message/a.jsonl"]);
});
