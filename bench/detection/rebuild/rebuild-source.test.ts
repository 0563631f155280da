import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runHash } from "../run-hash.ts";
import type { JsonObject } from "./json.ts";
import { type ParsedRun, toTrajectory } from "./parsed-run.ts";
import { rebuildSource } from "./rebuild-source.ts";
import type { Source } from "./source.ts";
import { isComplete, summary } from "./summary.ts";
import { makeRepository } from "./temporary-repository.ts";

const clones = mkdtempSync(join(tmpdir(), "rebuild-source-"));
afterAll(() => rmSync(clones, { recursive: true }));

const commit = makeRepository(join(clones, "runs"), { one: "1", two: "2", unlabelled: "3", long: "4".repeat(5000) });
const otherCommit = "0123456789012345678901234567890123456789";

/** A source in which each file is a run whose result is the content of the file. */
const source: Source = {
  name: "files",
  repository: "someone/runs",
  commit,
  licence: "MIT",
  readRuns: async function* (clone, wanted) {
    for (const { path, blob } of clone.files("."))
      if (wanted.has(path)) yield parsedRun(path, (await clone.text(blob)) ?? "");
  },
};

function parsedRun(runId: string, result: string): ParsedRun {
  const calls = [{ name: "cat", args: {}, result, isError: null }];
  return { runId, model: "m", task: "t", outcome: "unknown", steps: [{ text: "", calls, isAfterUser: true }] };
}

const rightRun = toTrajectory("files", "key-one", parsedRun("one", "1"));
const wantedRuns = [
  { source: "files", runId: "one", key: "key-one", sha256: runHash(rightRun) },
  { source: "files", runId: "two", key: "key-two", sha256: "another hash" },
  { source: "files", runId: "three", key: "key-three", sha256: "another hash" },
  { source: "other", runId: "unlabelled", key: "key-other", sha256: "another hash" },
];

async function rebuild(changed: Partial<Source> = {}) {
  const written: JsonObject[] = [];
  const write = async (run: JsonObject) => void written.push(run);
  return { result: await rebuildSource({ ...source, ...changed }, wantedRuns, { clones, write }), written };
}

test("only runs with the hash of their label are written; the others are counted", async () => {
  const { result, written } = await rebuild();
  expect(written).toEqual([rightRun]);
  expect(result).toMatchObject({ clone: "read", rebuilt: ["one"], different: ["two"], notFound: ["three"] });
  expect(isComplete([result])).toBe(false);
  expect(summary([result])).toContain("files: other content than labelled: two\n  not found: three");
});

test("the summary says that HEAD was read when the commit is missing", async () => {
  const { result } = await rebuild({ commit: otherCommit });
  expect(result.rebuilt).toEqual(["one"]);
  expect(summary([result])).toContain(`files: the clone has no commit ${otherCommit}; its HEAD was read.`);
});

test("an absent clone leaves all runs not found, and the summary has the commands that make it", async () => {
  const { result } = await rebuild({ repository: "someone/absent", furtherRefs: ["refs/pull/7/head"] });
  expect(result.notFound).toEqual(["one", "two", "three"]);
  expect(summary([result, result]).split("\n").slice(-3)).toEqual([
    "There is no clone for files, files. In the folder of the clones, run:",
    "git clone --no-checkout https://github.com/someone/absent someone+absent",
    "git -C someone+absent fetch origin refs/pull/7/head:refs/pull/7/head",
  ]);
});

test("the summary has the commands that fetch pull requests into the clone, when runs were not found", async () => {
  const { result } = await rebuild({ furtherRefs: ["refs/pull/7/head"] });
  const gitDirectory = join(clones, "runs", ".git");
  expect(summary([result])).toContain(`git -C ${gitDirectory} fetch origin refs/pull/7/head:refs/pull/7/head`);
});

test("a source that cannot be read to its end is reported and does not throw", async () => {
  const readRuns: Source["readRuns"] = async function* () {
    yield parsedRun("one", "1");
    throw new Error("Expected JSON.");
  };
  const { result } = await rebuild({ readRuns });
  expect(result).toMatchObject({ rebuilt: ["one"], notFound: ["two", "three"], failure: "Expected JSON." });
  expect(summary([result])).toContain("files: reading stopped: Expected JSON.");
});

test("a rebuilt run has the trajectory format, with long texts cut", () => {
  const run = toTrajectory("files", "key", parsedRun("long", "4".repeat(5000)));
  const result = expect.stringMatching(/^4{3960}…\[\+1040 chars #[0-9a-f]{12}\]$/);
  expect(run).toEqual({
    id: "key",
    source: "files",
    model: "m",
    task: "t",
    outcome: "unknown",
    steps: [{ turn: 0, text: "", calls: [{ name: "cat", args: {}, result, isError: null }], user: true }],
    runId: "long",
  });
});
