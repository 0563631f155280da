import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { coverageOf } from "./coverage.ts";
import { type LabelEntry, parseLabels } from "./labels.ts";
import { matchRuns } from "./match-runs.ts";
import { runHash } from "./run-hash.ts";

const run = { id: "r1", source: "made", steps: [{ turn: 0, calls: [{ name: "read", args: { b: 1, a: 2 } }] }] };

test("the hash does not depend on the order of keys, at any depth", () => {
  const reordered = { steps: [{ calls: [{ args: { a: 2, b: 1 }, name: "read" }], turn: 0 }], source: "made", id: "r1" };
  expect(runHash(reordered)).toBe(runHash(run));
  expect(runHash({ ...run, source: "other" })).not.toBe(runHash(run));
  expect(runHash(run)).toMatch(/^[0-9a-f]{32}$/);
});

test("a run is matched with its label once, and runs without a label are left out", () => {
  const entry = entryOf("r1", runHash(run));
  const lines = [run, run, { ...run, id: "r2" }].map((each) => JSON.stringify(each));
  expect(matchRuns(lines, entriesOf(entry))).toEqual({ lines: new Map([[entry, lines[0]]]), different: [] });
});

test("a run that is not the one that was labelled is named", () => {
  const { different } = matchRuns([JSON.stringify(run)], entriesOf(entryOf("r1", "0".repeat(32))));
  expect(different).toEqual([`r1 (made, made/r1): expected hash ${"0".repeat(32)}, got ${runHash(run)}`]);
});

test("labels without a run are counted by source", () => {
  const entries = [entryOf("r1", "x"), entryOf("r2", "x"), { ...entryOf("r3", "x"), source: "other" }];
  expect(coverageOf(entries, (key) => key === "r1")).toEqual({
    labels: 3,
    withRun: 1,
    bySource: [
      { source: "made", labels: 2, withRun: 1, stuck: 0, clean: 1, unclear: 0 },
      { source: "other", labels: 1, withRun: 0, stuck: 0, clean: 0, unclear: 0 },
    ],
  });
});

test("the repository has 690 labels of 14 sources, with a hash each", () => {
  const entries = [...parseLabels(readFileSync(new URL("labels/labels.jsonl", import.meta.url), "utf8")).values()];
  expect(entries).toHaveLength(690);
  expect(new Set(entries.map(({ source }) => source)).size).toBe(14);
  expect(entries.filter(({ sha256 }) => !/^[0-9a-f]{32}$/.test(sha256))).toEqual([]);
});

function entryOf(key: string, sha256: string): LabelEntry {
  return { key, source: "made", runId: `made/${key}`, sha256, label: { verdict: "clean", note: "" } };
}

function entriesOf(entry: LabelEntry): ReadonlyMap<string, LabelEntry> {
  return new Map([[entry.key, entry]]);
}
