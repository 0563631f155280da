import { expect, test } from "vitest";
import { childLine, lookedAt } from "../../test/look-back-runs.ts";
import type { LookBackRun } from "./look-back-run.ts";
import { uniqueRuns } from "./unique-runs.ts";

function runOf(recordedId: string, file: string, more: Partial<LookBackRun> = {}): LookBackRun {
  return { ...lookedAt(childLine(recordedId, "parent"), file), ...more };
}

const files = (runs: readonly LookBackRun[]) => uniqueRuns(runs).map(({ file }) => file);
const isExcerpt = { isExcerpt: true } as const;

test("an excerpt is left out where the run itself was found, and of several excerpts one is kept", () => {
  const excerpts = [runOf("a", "excerpt", isExcerpt), runOf("b", "only", isExcerpt), runOf("b", "other", isExcerpt)];
  expect(files([...excerpts, runOf("a", "itself")])).toEqual(["only", "itself"]);
});

test("ids are unique for an agent only", () => {
  const other = runOf("a", "other agent", { source: "other" });
  expect(files([runOf("a", "excerpt", isExcerpt), other])).toEqual(["excerpt", "other agent"]);
});

test("a run of Sheepdog in its database and in its log counts once, as that of the database", () => {
  const own = { source: "sheepdog" };
  expect(files([runOf("run_1", "log", own), runOf("run_1", "database", { ...own, id: "run_1" })])).toEqual([
    "database",
  ]);
});

test("what hooks recorded is left out where the agent recorded the session too, in any order", () => {
  const isOfHooks = { isOfHooks: true, report: { ...runOf("a", "").report, turns: 99 } } as const;
  const hooked = [runOf("a", "hooks a", isOfHooks), runOf("b", "hooks b", isOfHooks)];
  const other = runOf("b", "other agent", { source: "other" });
  expect(files([...hooked, runOf("a", "agent"), other])).toEqual(["hooks b", "agent", "other agent"]);
  expect(files([runOf("a", "agent"), other, ...hooked])).toEqual(["agent", "other agent", "hooks b"]);
});

test("runs of other agents with the same id are different runs", () => {
  expect(files([runOf("a", "one"), runOf("a", "two")])).toEqual(["one", "two"]);
});
