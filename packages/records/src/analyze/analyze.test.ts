import { defaultPolicy } from "@sheepdog/guardian";
import { describe, expect, test } from "vitest";
import { call, calls, run, says, times } from "../../test/builders.ts";
import { analyze } from "./analyze.ts";
import { remainingSpend } from "./remaining-spend.ts";

const failing = calls(call("bash", { command: "npm test" }, "FAIL: 1 test failed", { isError: true }));
const levels = (report: ReturnType<typeof analyze>) =>
  report.interventions.map(({ level, call }) => `${level}@${call}`);

describe("analyzing a run", () => {
  test("reports each level at the call that reached it, with its evidence, to the end of the run", () => {
    const report = analyze(run(times(9, failing), { source: "test", model: "m" }), defaultPolicy);
    expect(levels(report)).toEqual(["hint@2", "warn@3", "block@4", "halt@7"]);
    expect(report.interventions[0]).toEqual({
      call: 2,
      turn: 2,
      detector: "failing-call",
      level: "hint",
      message: expect.stringContaining("has failed 3 times"),
      evidence: [0, 1, 2],
    });
    expect(report).toMatchObject({
      id: "r",
      source: "test",
      model: "m",
      calls: 9,
      turns: 9,
      costUsd: null,
      unpricedTokens: 0,
    });
    expect(report.stuck).toEqual({ from: 1, to: 8, calls: 8, costUsd: null });
  });

  test("calls whose result is unknown count as calls of the run", () => {
    const search = calls(call("web_search", { query: "cats" }, null, { isResultUnknown: true }));
    const recorded = run([...times(5, search), ...times(9, failing)]);
    const { interventions, stuck } = analyze(recorded, defaultPolicy);
    expect(interventions.map(({ call: last, turn }) => [last, turn])).toEqual([
      [7, 7],
      [8, 8],
      [9, 9],
      [12, 12],
    ]);
    expect(interventions[0]?.evidence).toEqual([5, 6, 7]);
    expect(stuck).toMatchObject({ from: 6, to: 13 });
    const rest = interventions.map((intervention) => remainingSpend(recorded, intervention));
    expect(rest.map(({ calls: left, turns }) => [left, turns])).toEqual([
      [6, 6],
      [5, 5],
      [4, 4],
      [1, 1],
    ]);
  });

  test("a run that makes progress has nothing to report", () => {
    const steps = ["a", "b", "c", "d"].map((name) =>
      calls(call("read_file", { path: name }, `the content of ${name}, which is its own`)),
    );
    const report = analyze(run([...steps, says("Done.")]), defaultPolicy);
    expect(report).toEqual({
      id: "r",
      source: null,
      model: null,
      calls: 4,
      turns: 5,
      costUsd: null,
      unpricedTokens: 0,
      interventions: [],
      stuck: null,
    });
  });

  test("a user message between equal calls is taken into account", () => {
    const look = calls(call("get_order", { id: 1 }, "status: on its way, expected on Monday"));
    expect(analyze(run([look, { ...look, user: true }, { ...look, user: true }]), defaultPolicy).interventions).toEqual(
      [],
    );
    expect(levels(analyze(run([look, look, look]), defaultPolicy))).toEqual(["hint@2"]);
  });

  test("where calls are never denied, a block is reported as a second warning", () => {
    const report = analyze(run(times(5, failing)), { ...defaultPolicy, mode: "advise" });
    expect(levels(report)).toEqual(["hint@2", "warn@3", "warn@4"]);
    expect(report.interventions.at(-1)?.message).not.toContain("refused");
  });

  test("an intervention has the turn number of the recording", () => {
    const steps = times(3, failing).map((step, index) => ({ ...step, turn: 10 + index }));
    expect(analyze({ id: "r", steps }, defaultPolicy).interventions.map(({ turn }) => turn)).toEqual([12]);
  });
});

describe("the cost of a run", () => {
  test("is the recorded cost; the stuck part is the share of the repeats", () => {
    const pair = calls(
      call("bash", { command: "npm test" }, "FAIL: 1 test failed", { isError: true }),
      call("read_file", { path: "a" }, "alpha"),
    );
    const reading = (index: number) =>
      calls(
        ...pair.calls.slice(0, 1),
        call("read_file", { path: `f${index}` }, `the unique content of file number ${index} is ${index * 7}`),
      );
    const steps = [0, 1, 2].map((index) => ({ ...reading(index), usage: { costUsd: 0.1, inputTokens: 10 } }));
    const report = analyze(
      run([...steps, { ...says("Bye."), usage: { inputTokens: 5, outputTokens: 2 } }]),
      defaultPolicy,
    );
    expect(report).toMatchObject({
      costUsd: 0.3,
      unpricedTokens: 7,
      stuck: { from: 2, to: 4, calls: 2, costUsd: 0.1 },
    });
  });

  test("is named in the message", () => {
    const report = analyze(run(times(4, { ...failing, usage: { costUsd: 0.25 } })), defaultPolicy);
    expect(report.interventions[1]?.message).toContain("$0.75");
  });
});
