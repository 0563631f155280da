import { appendFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { cleanRun, stuckRun } from "../../test/recordings.ts";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { createRecordingLibrary } from "./file-recording-library.ts";

const file = scratchFolder();

/** A clock that lets every list search again. */
function everLater(): () => number {
  let time = 0;
  return () => {
    time += 10_000;
    return time;
  };
}

const timed = `${JSON.stringify({
  id: "t",
  source: "Claude Code",
  model: "m",
  task: "Fix it.",
  outcome: "success",
  steps: [
    {
      turn: 0,
      text: "",
      at: 1_000,
      usage: { costUsd: 0.1 },
      calls: [{ name: "ls", args: {}, result: "a", at: 2_500 }],
    },
    { turn: 1, text: "Done.", at: 4_000, usage: { costUsd: 0.2 }, calls: [] },
  ],
})}\n`;

test("lists the runs of files and folders, packed or not, and loads each", async () => {
  const path = await file("recordings/a.jsonl", timed + stuckRun("s"));
  await writeFile(join(dirname(path), "b.jsonl.gz"), gzipSync(cleanRun("c")));
  const library = createRecordingLibrary([dirname(path)]);
  const entries = await library.list();
  expect(entries[0]).toEqual({
    id: expect.stringMatching(/^rec_[0-9a-f]{20}$/),
    recordedId: "t",
    source: "Claude Code",
    file: path,
    line: 1,
    model: "m",
    task: "Fix it.",
    outcome: "success",
    startedAt: 1_000,
    endedAt: 4_000,
    turns: 2,
    calls: 1,
    costUsd: 0.3,
    workspace: undefined,
  });
  expect(entries.map(({ source, calls, costUsd }) => [source, calls, costUsd])).toEqual([
    ["Claude Code", 1, 0.3],
    ["test", 3, 0.3],
    ["trajectory", 1, undefined],
  ]);
  const runs = await Promise.all(entries.map(({ id }) => library.load(id)));
  expect(runs.map((run) => run?.id)).toEqual(["t", "s", "c"]);
  expect(await library.load("rec_unknown")).toBeUndefined();
  expect(await library.places?.()).toEqual([{ place: dirname(path), runs: 3, skipped: 0, problems: [] }]);
});

test("runs with the same id in a file are told apart, and keep their ids when the file grows", async () => {
  const path = await file("same.jsonl", cleanRun("x") + cleanRun("x"));
  const library = createRecordingLibrary([path], everLater());
  const ids = (await library.list()).map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
  await appendFile(path, stuckRun("y"));
  const later = await library.list();
  expect(later.map(({ id }) => id).slice(0, 2)).toEqual(ids);
  expect(later).toHaveLength(3);
  await rm(path);
  expect(await library.list()).toEqual([]);
});

test("what cannot be read is counted and told with file, line and reason, and stops nothing", async () => {
  const path = await file("odd/odd.jsonl", `not json\n${cleanRun("a")}{"id":1}\n`);
  await file("odd/binary.jsonl", "\u0000\u0001\u0002");
  await file("odd/empty.jsonl", "");
  const missing = join(dirname(path), "missing");
  const told: string[] = [];
  const library = createRecordingLibrary([dirname(path), missing], everLater(), (problem) => told.push(problem));
  expect((await library.list()).map(({ line }) => line)).toEqual([2]);
  expect(await library.places?.()).toEqual([
    {
      place: dirname(path),
      runs: 1,
      skipped: 4,
      problems: expect.arrayContaining([expect.stringMatching(/odd\.jsonl:1: ./)]),
    },
    { place: missing, runs: 0, skipped: 1, problems: [expect.stringContaining(missing)] },
  ]);
  expect(told).toHaveLength(5); // once, although it was searched twice
});

test("a file that has not changed is read once, and long tasks are cut", async () => {
  const path = await file("long.jsonl", `${JSON.stringify({ id: "l", task: "x".repeat(100_000), steps: [] })}\n`);
  const library = createRecordingLibrary([path], everLater());
  const [first] = await library.list();
  const [second] = await library.list();
  expect(first).toBe(second);
  expect(first?.task).toHaveLength(2_000);
});

test("secrets in a recording are masked wherever they are", async () => {
  const key = `sk-ant-api03-${"Q7xK".repeat(22)}`;
  const call = { name: "bash", args: { env: { api_key: "hunter2hunter2", [key]: 1 } }, result: [`${key}\n`] };
  const run = {
    id: "k",
    task: `Use ${key}.`,
    outcome: key,
    steps: [{ turn: 0, text: `I have ${key} now.`, calls: [call] }],
  };
  const library = createRecordingLibrary([await file("recordings/a.jsonl", JSON.stringify(run))]);
  const [entry] = await library.list();
  const recording = await library.load(entry?.id ?? "");
  expect(JSON.stringify([entry, recording])).not.toMatch(/Q7xK|hunter2/);
  expect(recording?.steps[0]).toEqual({
    turn: 0,
    text: "I have … now.",
    calls: [{ name: "bash", args: { env: { api_key: "…", "…": 1 } }, result: ["…\n"], isError: null }],
  });
});

test("runs of one line or document are told apart when they are loaded", async () => {
  const reply = (uuid: string, more: object) => ({
    ...{ uuid, parentUuid: null, sessionId: "s", timestamp: "2026-11-02T09:00:00Z", type: "assistant", ...more },
    message: { id: `msg_${uuid}`, role: "assistant", model: "m", content: [{ type: "text", text: uuid }] },
  });
  const lines = [reply("main", {}), reply("one", { isSidechain: true, agentId: "one" })];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const library = createRecordingLibrary([await file("recordings/a.jsonl", text)]);
  const entries = await library.list();
  const runs = await Promise.all(entries.map(({ id }) => library.load(id)));
  expect(runs.map((run) => [run?.id, run?.steps[0]?.text]).toSorted()).toEqual([
    ["s", "main"],
    ["s/one", "one"],
  ]);
});
