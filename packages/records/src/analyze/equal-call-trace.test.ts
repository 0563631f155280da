import { defaultPolicy } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { call, calls, run, says, times } from "../../test/builders.ts";
import { analyze } from "./analyze.ts";
import { equalCallTrace } from "./equal-call-trace.ts";

const failing = calls(call("bash", { command: "npm test" }, "FAIL: 1 test failed", { isError: true }));
const looking = calls(call("read_file", { path: "schema.ts" }, "export const schema = z.object({ id: z.string() });"));

describe("the trace of equal calls", () => {
  test("has the first call and turn of each number, with what was spent by then and afterwards", () => {
    const steps = times(6, { ...failing, usage: { costUsd: 0.1 } });
    const trace = equalCallTrace(run([...steps, { ...says("I give up."), usage: { costUsd: 0.05 } }]), defaultPolicy);
    const detector = "failing-call";
    expect(trace).toEqual({
      points: [
        { count: 3, call: 2, turn: 2, detector, costUsd: 0.3, remaining: { calls: 3, costUsd: 0.35 } },
        { count: 4, call: 3, turn: 3, detector, costUsd: 0.4, remaining: { calls: 2, costUsd: 0.25 } },
        { count: 5, call: 4, turn: 4, detector, costUsd: 0.5, remaining: { calls: 1, costUsd: 0.15 } },
        { count: 6, call: 5, turn: 5, detector, costUsd: 0.6, remaining: { calls: 0, costUsd: 0.05 } },
      ],
    });
  });

  test("counts calls whose result is unknown", () => {
    const search = calls(call("web_search", { query: "cats" }, null, { isResultUnknown: true }));
    const { points } = equalCallTrace(run([...times(5, search), ...times(4, failing)]), defaultPolicy);
    expect(points.map(({ call: last, turn, remaining }) => [last, turn, remaining.calls])).toEqual([
      [7, 7, 1],
      [8, 8, 0],
    ]);
  });

  test.each([
    ["a call that fails", times(20, failing)],
    ["a call with an equal result", times(20, looking)],
  ])("agrees with the report of analyze at each level: %s", (_, steps) => {
    const recorded = run(steps);
    const { points } = equalCallTrace(recorded, defaultPolicy);
    expect(points.map(({ count }) => count)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    const rungs = { hint: 3, warn: 4, block: 5, halt: 8 };
    expect(
      analyze(recorded, defaultPolicy).interventions.map(({ level, call, turn }) => ({ level, call, turn })),
    ).toEqual(
      Object.entries(rungs).map(([level, rung]) => {
        const point = points.find(({ count }) => count === rung);
        return { level, call: point?.call, turn: point?.turn };
      }),
    );
  });

  test("counts the laps of a cycle", () => {
    const lap = [looking, calls(call("grep", { pattern: "schema" }, "src/schema.ts:1: schema"))];
    const { points } = equalCallTrace(run(times(4, looking).flatMap(() => lap)), defaultPolicy);
    expect(points.map(({ count, call, detector }) => ({ count, call, detector }))).toEqual([
      { count: 3, call: 4, detector: "cycle" },
      { count: 4, call: 6, detector: "cycle" },
    ]);
  });

  test("of a run that works is empty", () => {
    const files = Array.from({ length: 40 }, (_, index) =>
      calls(call("read_file", { path: `src/${index}.ts` }, `export const value${index} = ${index * 17};`)),
    );
    const polls = Array.from({ length: 20 }, (_, index) => calls(call("get_status", { id: 7 }, `${index * 5} % done`)));
    const fixes = Array.from({ length: 10 }, (_, index) => [
      calls(call("edit_file", { path: "a.ts", text: `attempt ${index}` }, `changed line ${index}`)),
      calls(call("bash", { command: "npm test" }, `FAIL: ${30 - index} of 60 tests failed`, { isError: true })),
    ]).flat();
    for (const steps of [files, polls, fixes, []]) expect(equalCallTrace(run(steps), defaultPolicy).points).toEqual([]);
  });

  test("a person's message between equal calls makes them no repetition", () => {
    const asked = times(6, { ...looking, user: true });
    expect(equalCallTrace(run(asked), defaultPolicy).points).toEqual([]);
  });

  test("detectors that are off, and tools that are excepted, count nothing; a scale divides the count", () => {
    const recorded = run(times(8, failing));
    const counts = (policy: Partial<typeof defaultPolicy>) =>
      equalCallTrace(recorded, { ...defaultPolicy, ...policy }).points.map(({ count, call }) => [count, call]);
    expect(counts({ detectors: {} })).toEqual([]);
    expect(counts({ tools: [{ match: "bash", off: "all" }] })).toEqual([]);
    expect(counts({ tools: [{ match: "bash", scale: 2 }] })).toEqual([
      [3, 5],
      [4, 7],
    ]);
  });

  test("costs are unknown if none is recorded", () => {
    expect(equalCallTrace(run(times(3, failing)), defaultPolicy).points).toMatchObject([
      { costUsd: null, remaining: { calls: 0, costUsd: null } },
    ]);
  });
});
