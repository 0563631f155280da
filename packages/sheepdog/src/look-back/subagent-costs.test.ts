import { expect, test } from "vitest";
import { childLine, lookedAt, parentLine } from "../../test/look-back-runs.ts";
import { groupings, groupsBy } from "./groups.ts";
import { lookBackTotals } from "./look-back-totals.ts";
import { withSubagentCosts } from "./subagent-costs.ts";
import { worstRuns } from "./worst-runs.ts";

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

const loopLine = (id: string, names: readonly string[], parent?: string) =>
  parent === undefined
    ? parentLine(id, names)
    : parentLine(id, names).replace('"source"', `"parent":"${parent}","source"`);

const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0);

test.each([
  ["two runs that are each other's parent", [loopLine("a", ["b", "b", "b"], "b"), loopLine("b", ["a", "a", "a"], "a")]],
  [
    "three runs in a circle",
    [loopLine("a", ["b", "b", "b"], "c"), loopLine("b", ["c", "c", "c"], "a"), loopLine("c", ["a", "a", "a"], "b")],
  ],
  ["a child of two parents", [loopLine("a", ["c", "c", "c"]), loopLine("b", ["c", "c", "c"]), childLine("c", "a", 9)]],
  ["two children with one id", [loopLine("a", ["c", "c", "c"]), childLine("c", "a", 2), childLine("c", "a", 5)]],
  ["loops in a loop", [loopLine("a", ["b", "b", "b"]), loopLine("b", ["c", "c", "c", "c"], "a"), childLine("c", "b")]],
])("each dollar and each call counts once, and all lists agree: %s", (_, lines) => {
  const runs = lines.map((line, index) => lookedAt(line, `/runs-${index}.jsonl`));
  const trees = withSubagentCosts(runs);
  const totals = lookBackTotals(trees);
  expect(totals.stuckUsd).toBeLessThanOrEqual(totals.costUsd ?? 0);
  expect(totals.stuckCalls).toBeLessThanOrEqual(totals.calls);
  const worst = worstRuns(trees, "cost");
  const causes = groupsBy(trees, "cause");
  const expected = [totals.stuckRuns, totals.stuckCalls, totals.stuckUsd];
  expect([worst.length, sum(worst.map(({ calls }) => calls)), toUsd(sum(worst.map(usdOf)))]).toEqual(expected);
  const groups = [causes, ...groupings.map((by) => groupsBy(trees, by))];
  for (const group of groups) {
    expect(sum(group.map(({ stuckCalls }) => stuckCalls))).toBe(totals.stuckCalls);
    expect(toUsd(sum(group.map(({ stuckNanoUsd }) => stuckNanoUsd)))).toBe(totals.stuckUsd);
  }
  const reversed = lookBackTotals(withSubagentCosts(runs.toReversed()));
  expect(reversed).toEqual(totals);
});

const usdOf = ({ costUsd }: { readonly costUsd: number | null }) => Math.round((costUsd ?? 0) * 1e9);
const toUsd = (nanoUsd: number) => nanoUsd / 1e9;

test("the amounts of odd trees are exact", () => {
  const stuckOf = (...lines: readonly string[]) => {
    const trees = withSubagentCosts(lines.map((line, index) => lookedAt(line, `/runs-${index}.jsonl`)));
    const { stuckRuns, stuckCalls, stuckUsd, costUsd } = lookBackTotals(trees);
    return [stuckRuns, stuckCalls, stuckUsd, costUsd];
  };
  const three = ["c", "c", "c"];
  // Two repeats at $0.10 in each loop; a subagent at $9 is in the one that it names.
  expect(stuckOf(loopLine("a", three), loopLine("b", three), childLine("c", "a", 9))).toEqual([2, 4, 9.4, 9.6]);
  expect(stuckOf(loopLine("a", three), childLine("c", "a", 2), childLine("c", "a", 5))).toEqual([1, 2, 7.2, 7.3]);
  // All three calls of the inner run are stuck, as its $0.30 are.
  expect(stuckOf(loopLine("a", ["b", "b", "b"]), loopLine("b", three, "a"), childLine("c", "b"))).toEqual([
    1, 5, 2.5, 2.6,
  ]);
});

test("a run that names itself as its parent is no tree without end", () => {
  const odd = [lookedAt(parentLine("p", ["p", "p", "p"]).replace('"source"', '"parent":"p","source"'))];
  expect(withSubagentCosts(odd).runs[0]?.report.stuck?.costUsd).toBe(0.2);
});
