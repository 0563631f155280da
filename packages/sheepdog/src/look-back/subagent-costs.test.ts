import { expect, test } from "vitest";
import { childLine, lookedAt, parentLine } from "../../test/look-back-runs.ts";
import { groupings, groupsBy } from "./groups.ts";
import { lookBackTotals } from "./look-back-totals.ts";
import { withSubagentCosts } from "./subagent-costs.ts";

const children = ["c0", "c1", "c2", "c3"];
const recorded = [
  lookedAt(parentLine("p", children)),
  ...children.map((id) => lookedAt(childLine(id, "p"))),
  lookedAt(childLine("g", "c2", 3)),
  lookedAt(childLine("elsewhere", "unknown")),
];

test("a loop costs what the subagents cost that it started, with theirs", () => {
  const { runs, insideLoops } = withSubagentCosts(recorded);
  const [parent] = runs;
  // Three repeats at $0.10, three subagents at $2 each, and one below them at $3.
  expect(parent?.report.stuck).toMatchObject({ calls: 3, costUsd: 9.3 });
  expect(parent?.facts.stuck?.costUsd).toBe(9.3);
  expect(parent?.episodes.map(({ costUsd }) => costUsd)).toEqual([9.3]);
  const inside = runs.filter(({ id }) => insideLoops.has(id)).map(({ recordedId }) => recordedId);
  expect(inside).toEqual(["c1", "c2", "c3", "g"]);
});

test("the totals count each dollar once", () => {
  const totals = lookBackTotals(withSubagentCosts(recorded));
  // $0.40 of the parent, four subagents at $2, one at $3, and one of an unknown parent at $2.
  expect(totals).toMatchObject({ runs: 7, calls: 4, costUsd: 13.4, stuckRuns: 1, stuckCalls: 3, stuckUsd: 9.3 });
});

test("every grouping adds up to the totals", () => {
  const trees = withSubagentCosts(recorded);
  for (const by of groupings) {
    const groups = groupsBy(trees, by);
    const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0);
    expect([by, sum(groups.map(({ stuckNanoUsd }) => stuckNanoUsd))]).toEqual([by, 9_300_000_000]);
    if (by === "cause") continue;
    expect([by, sum(groups.map(({ nanoUsd }) => nanoUsd))]).toEqual([by, 13_400_000_000]);
  }
  expect(groupsBy(trees, "tool").map(({ name, calls, stuckCalls }) => [name, calls, stuckCalls])).toEqual([
    ["", 0, 0],
    ["Task", 4, 3],
  ]);
});

test("a run that names itself as its parent is no tree without end", () => {
  const odd = [lookedAt(parentLine("p", ["p", "p", "p"]).replace('"source"', '"parent":"p","source"'))];
  expect(withSubagentCosts(odd).runs[0]?.report.stuck?.costUsd).toBe(0.2);
});
