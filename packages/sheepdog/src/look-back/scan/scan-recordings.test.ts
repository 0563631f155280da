import { appendFile, chmod, readFile, rm, stat, utimes } from "node:fs/promises";
import { defaultPolicy } from "@sheepdog/guardian";
import { projectFilter } from "@sheepdog/records";
import { beforeEach, expect, test } from "vitest";
import { claudeSession } from "../../../test/claude-session.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import type { LookBackRun } from "../look-back-run.ts";
import type { ScanEvent } from "./scan-event.ts";
import { scanRecordings } from "./scan-recordings.ts";
import type { ScanRequest } from "./scan-request.ts";

const file = scratchFolder();
let home = "";
beforeEach(async () => {
  home = await file("home");
});

async function writeSession(name: string, cwd: string, requests: readonly string[]): Promise<string> {
  const replies = requests.map((request) => ({ request, command: `ls ${request}` }));
  return file(`home/.claude/projects/${name}.jsonl`, claudeSession(name, cwd, replies));
}

async function eventsOf(request: Partial<ScanRequest>): Promise<readonly ScanEvent[]> {
  const events: ScanEvent[] = [];
  const machine = { env: {}, homeFolder: home, platform: "linux" } as const;
  const whole = { machine, paths: [], policy: defaultPolicy, priceOverrides: {}, ...request };
  for await (const event of scanRecordings(whole)) events.push(event);
  return events;
}

async function look(request: Partial<ScanRequest> = {}) {
  const events = await eventsOf(request);
  const runs = events.flatMap((event) => (event.type === "run" ? [event.run] : []));
  const last = events.at(-1);
  if (last?.type !== "end") throw new Error("Expected an end.");
  return { runs: runs.toSorted((a, b) => (a.file < b.file ? -1 : 1)), scan: last.scan, events };
}

function summary(runs: readonly LookBackRun[]) {
  return runs.map(({ recordedId, report, counting }) => [recordedId, report.turns, counting.copiedRequests ?? 0]);
}

test("a machine without recordings has no runs, and the places that were searched are named", async () => {
  const { runs, scan } = await look();
  expect([runs, scan.files, scan.skippedCount]).toEqual([[], 0, 0]);
  expect(scan.places[0]).toEqual({
    agent: "Claude Code",
    path: `${home}/.claude/projects`,
    files: 0,
    runs: 0,
  });
});

test("of a file with many faults the first hundred are named, and the rest are counted", async () => {
  const path = await file("bad.jsonl", '{"id":"a"}\n'.repeat(150));
  const { scan, events } = await look({ paths: [path] });
  const skipped = events.flatMap((event) => (event.type === "skipped" ? [event.skipped] : []));
  expect([skipped.length, scan.skippedCount]).toEqual([101, 150]);
  expect(skipped.at(-1)).toEqual({ file: path, line: 0, why: "50 more lines could not be read", lines: 50 });
});

test("runs are priced and analyzed, and the end counts files, bytes and runs of each place", async () => {
  const path = await writeSession("s1", "/srv/api", ["a", "b"]);
  const { runs, scan, events } = await look();
  expect(runs).toMatchObject([
    { recordedId: "s1", source: "claude-code", file: path, folder: "/srv/api", project: "api" },
  ]);
  expect(runs[0]?.report).toMatchObject({ calls: 2, turns: 2, costUsd: 0.009, unpricedTokens: 0 });
  const { size } = await stat(path);
  expect(scan).toMatchObject({ files: 1, bytes: size, cachedFiles: 0, skipped: [], skippedCount: 0 });
  expect(scan.places.filter(({ files }) => files > 0)).toMatchObject([{ agent: "Claude Code", files: 1, runs: 1 }]);
  expect(events.findLast(({ type }) => type === "progress")).toMatchObject({
    progress: { files: 1, totalFiles: 1, bytes: size, totalBytes: size },
  });
});

test("a price of the configuration counts", async () => {
  await writeSession("s1", "/srv/api", ["a"]);
  const priceOverrides = { "claude-sonnet-4-5-20250929": { input: 100_000, output: 0 } };
  expect((await look({ priceOverrides })).runs[0]?.report.costUsd).toBe(1);
});

test("a resumed session does not count what it copied from the older file", async () => {
  await writeSession("s2", "/srv/api", ["a", "b"]);
  await new Promise((resolve) => setTimeout(resolve, 25)); // the other file is created later
  await writeSession("s1", "/srv/api", ["a", "b", "c"]);
  await writeSession("s3", "/srv/api", ["a", "b"]);
  expect(summary((await look()).runs)).toEqual([
    ["s1", 1, 2],
    ["s2", 2, 0],
  ]);
});

test("a forked session does not count the replies without usage that it copied", async () => {
  const metaOf = (id: string) => ({ type: "session_meta", payload: { id, cwd: "/srv/api" } });
  const call = (call_id: string) => {
    const called = { type: "function_call", name: "shell", arguments: '{"command":"ls"}', call_id };
    const answer = { type: "function_call_output", call_id, output: "x" };
    return [called, answer].map((payload) => ({ type: "response_item", payload }));
  };
  const write = (name: string, lines: readonly object[]) =>
    file(`home/.codex/sessions/2026/11/03/rollout-${name}.jsonl`, lines.map((line) => JSON.stringify(line)).join("\n"));
  const copied = [metaOf("A"), ...["c1", "c2", "c3"].flatMap(call)];
  await write("a", copied);
  await new Promise((resolve) => setTimeout(resolve, 25)); // the other file is created later
  await write("b", [metaOf("B"), ...copied, ...call("c4")]);
  expect(summary((await look()).runs)).toEqual([
    ["A", 3, 0],
    ["B", 1, 3],
  ]);
});

test("an excerpt of a subagent's run owns nothing that the run itself has, although its file is older", async () => {
  const cacheFile = await file("home/.sheepdog/cache/look-back.db");
  const child = claudeSession("s1", "/srv/api", [{ request: "c" }, { request: "d" }])
    .trim()
    .split("\n")
    .map((line) => ({ ...JSON.parse(line), isSidechain: true, agentId: "one" }));
  const progress = child.slice(0, 2).map((message) => ({
    type: "progress",
    sessionId: "s1",
    data: { type: "agent_progress", agentId: "one", message },
  }));
  const asLines = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
  const session = claudeSession("s1", "/srv/api", [{ request: "a" }]);
  await file("home/.claude/projects/s1.jsonl", session + asLines(progress));
  await new Promise((resolve) => setTimeout(resolve, 25)); // the other file is created later
  await file("home/.claude/projects/s1/subagents/agent-one.jsonl", asLines(child));
  const { runs, scan } = await look({ cacheFile });
  expect(summary(runs)).toEqual([
    ["s1", 1, 0],
    ["s1/one", 2, 0],
  ]);
  const cached = await look({ cacheFile });
  expect([cached.runs, cached.scan.cachedFiles]).toEqual([runs, scan.files]);
});

test("the second look reads no file, and says the same", async () => {
  const cacheFile = await file("home/.sheepdog/cache/look-back.db");
  await writeSession("s1", "/srv/api", ["a", "b"]);
  await writeSession("s2", "/srv/api", ["a", "b", "c"]);
  await file("home/.claude/projects/bad.jsonl", `${claudeSession("s3", "/srv", [{ request: "d" }])}{"type":\n`);
  const first = await look({ cacheFile });
  const second = await look({ cacheFile });
  expect([first.scan.cachedFiles, second.scan.cachedFiles]).toEqual([0, 3]);
  expect(second.runs).toEqual(first.runs);
  expect(second.scan).toEqual({ ...first.scan, cachedFiles: 3, ms: expect.any(Number) });
  expect(second.scan.skippedCount).toBe(1);
});

test("a file that has grown is read again, and so is one whose copies have changed", async () => {
  const cacheFile = await file("home/.sheepdog/cache/look-back.db");
  const older = await writeSession("s1", "/srv/api", ["a", "b"]);
  await new Promise((resolve) => setTimeout(resolve, 25)); // the other file is created later
  await writeSession("s2", "/srv/api", ["a", "b", "c"]);
  await look({ cacheFile });
  const [, , , ...added] = claudeSession("s1", "/srv/api", [{ request: "a" }, { request: "c" }]).split("\n");
  await appendFile(older, added.join("\n"));
  const grown = await look({ cacheFile });
  expect([summary(grown.runs), grown.scan.cachedFiles]).toEqual([[["s1", 3, 0]], 1]);
  await rm(older);
  const alone = await look({ cacheFile });
  expect(summary(alone.runs)).toEqual([["s2", 3, 0]]);
  expect(await look({ cacheFile })).toMatchObject({ runs: alone.runs, scan: { cachedFiles: 1 } });
});

test("another policy or another price is another analysis", async () => {
  const cacheFile = await file("home/.sheepdog/cache/look-back.db");
  await writeSession("s1", "/srv/api", ["a"]);
  await look({ cacheFile });
  const priceOverrides = { "claude-sonnet-4-5": { input: 100_000, output: 0 } };
  const other = { ...defaultPolicy, detectors: {} };
  expect((await look({ cacheFile, priceOverrides })).scan.cachedFiles).toBe(0);
  expect((await look({ cacheFile, policy: other })).scan.cachedFiles).toBe(0);
  expect((await look({ cacheFile })).scan.cachedFiles).toBe(1);
});

test("with a beginning of the time, older files and older runs are left out", async () => {
  const older = await writeSession("s1", "/srv/api", ["a"]);
  await utimes(older, 1_000, 1_000);
  await file(
    "home/.claude/projects/two.jsonl",
    claudeSession("s2", "/srv/api", [{ request: "b", at: Date.UTC(2026, 0) }]),
  );
  await writeSession("s3", "/srv/api", ["c"]);
  const { runs, scan } = await look({ since: Date.UTC(2026, 9) });
  expect([summary(runs), scan.files]).toEqual([[["s3", 1, 0]], 2]);
});

test("with a beginning of the time, what a run copied from an older file is not counted", async () => {
  const cacheFile = await file("home/.sheepdog/cache/look-back.db");
  const older = await writeSession("s1", "/srv/api", ["a", "b"]);
  await new Promise((resolve) => setTimeout(resolve, 25)); // the other file is created later
  await writeSession("s2", "/srv/api", ["a", "b", "c"]);
  await utimes(older, 1_000, 1_000);
  const since = Date.UTC(2026, 9);
  const first = await look({ since, cacheFile });
  expect([summary(first.runs), first.scan.files]).toEqual([[["s2", 1, 2]], 1]);
  const second = await look({ since, cacheFile });
  expect([summary(second.runs), second.scan.files, second.scan.cachedFiles]).toEqual([[["s2", 1, 2]], 1, 1]);
  expect(second.events.findLast(({ type }) => type === "progress")).toMatchObject({
    progress: { files: 1, totalFiles: 1 },
  });
  expect((await look({ cacheFile })).scan).toMatchObject({ files: 2, cachedFiles: 2 });
});

test("only the runs of one project are wanted, or of one agent", async () => {
  await writeSession("s1", "/srv/api", ["a"]);
  await writeSession("s2", "/srv/web", ["b"]);
  const isProject = projectFilter("/srv/web", { cwd: "/", homeFolder: home });
  expect(summary((await look({ isProject })).runs)).toEqual([["s2", 1, 0]]);
  expect((await look({ agent: "codex" })).scan.places.map(({ agent }) => agent)).toEqual(["Codex", "Codex", "Codex"]);
  const paths = [`${home}/.claude`];
  expect((await look({ agent: "codex", paths })).runs).toEqual([]);
  expect((await look({ agent: "claude-code", paths })).runs).toHaveLength(2);
});

test("given paths are read instead of the standard places, each file once, and standard input besides", async () => {
  await writeSession("s1", "/srv/api", ["a"]);
  const path = await file("elsewhere/s2.jsonl", claudeSession("s2", "/srv/api", [{ request: "b" }, { request: "c" }]));
  const missing = await file("missing.jsonl");
  const stdin = (async function* () {
    yield Buffer.from(claudeSession("s0", "/srv/api", [{ request: "b" }]));
  })();
  const { runs, scan } = await look({ paths: [path, missing, path], stdin });
  expect(summary(runs)).toEqual([
    ["s2", 1, 1],
    ["s0", 1, 0],
  ]);
  expect(scan.skipped).toEqual([{ file: missing, line: 0, why: "there is no such file or directory" }]);
  expect(scan.places.map(({ agent, path: place, files }) => [agent, place, files])).toEqual([
    [null, "stdin", 1],
    [null, path, 1],
    [null, missing, 0],
    [null, path, 0],
  ]);
});

test("runs without steps are not kept, and a file whose permissions have changed is read again", async () => {
  const cacheFile = await file("home/.sheepdog/cache/look-back.db");
  const empty = Array.from({ length: 50 }, (_, index) => `${JSON.stringify({ id: `r${index}`, steps: [] })}\n`);
  const step = { turn: 0, text: "Done.", calls: [] };
  const path = await file("elsewhere/runs.jsonl", `${empty.join("")}${JSON.stringify({ id: "a", steps: [step] })}\n`);
  expect(summary((await look({ paths: [path], cacheFile })).runs)).toEqual([["a", 1, 0]]);
  const { scan } = await look({ paths: [path], cacheFile });
  expect(scan.cachedFiles).toBe(1);
  const { mode } = await stat(path);
  await chmod(path, mode);
  expect((await look({ paths: [path], cacheFile })).scan.cachedFiles).toBe(0);
});

test("nothing secret is kept", async () => {
  const cacheFile = await file("home/.sheepdog/cache/look-back.db");
  const secret = `sk-ant-api03-${"x1Y2z3".repeat(12)}`;
  const replies = [1, 2, 3, 4].map((number) => ({
    request: `r${number}`,
    command: `curl -H 'x-api-key: ${secret}'`,
    result: `denied ${secret}`,
  }));
  await file("home/.claude/projects/s1.jsonl", claudeSession("s1", `/srv/${secret}`, replies));
  const { events, runs } = await look({ cacheFile });
  expect(runs[0]?.episodes).toHaveLength(1);
  expect(JSON.stringify(events)).not.toContain(secret);
  for (const suffix of ["", "-wal"])
    expect(await readFile(cacheFile + suffix, "latin1").catch(() => "")).not.toContain(secret);
});

test("the iteration can be left at any time", async () => {
  for (const name of ["s1", "s2", "s3"]) await writeSession(name, "/srv/api", [name]);
  const machine = { env: {}, homeFolder: home, platform: "linux" } as const;
  for await (const event of scanRecordings({ machine, paths: [], policy: defaultPolicy, priceOverrides: {} }))
    if (event.type === "run") break;
});
