import type { Policy } from "@sheepdog/guardian";
import { defaultPolicy } from "@sheepdog/guardian/presets";
import { expect, test } from "vitest";
import { childLine, lookedAt, parentLine } from "../../test/look-back-runs.ts";
import { cleanRun, stuckRun } from "../../test/recordings.ts";
import { plainSentence } from "../sentences/say.ts";
import { withSubagentCosts } from "./subagent-costs.ts";
import { firstStop, type WorstBy, worstRuns } from "./worst-runs.ts";

function worst(by: WorstBy, ...lines: readonly string[]) {
  return worstRuns(withSubagentCosts(lines.map((line) => lookedAt(line))), by);
}

test("runs that went in circles are ordered by what is asked for", () => {
  const cheap = stuckRun("cheap", 12).replaceAll('"costUsd":0.1', '"costUsd":0.001');
  const lines = [cleanRun("clean"), cheap, stuckRun("dear", 9)];
  const ids = (by: WorstBy) => worst(by, ...lines).map(({ run }) => run.recordedId);
  expect([ids("cost"), ids("calls"), ids("saved")]).toEqual([
    ["dear", "cheap"],
    ["cheap", "dear"],
    ["dear", "cheap"],
  ]);
});

test("a run has its sentence, its cost, and the end that the policy would have brought", () => {
  const [run] = worst("cost", stuckRun("a", 10));
  expect(run && { ...run, sentence: plainSentence(run.sentence), run: run.run.recordedId }).toEqual({
    run: "a",
    sentence: "make failed 10 times the same way",
    calls: 9,
    costUsd: 0.9,
    ms: null,
    startedAt: null,
    otherLoops: 0,
    stop: expect.objectContaining({ level: "halt", call: 7, remaining: { calls: 2, costUsd: 0.2 } }),
  });
});

test("a limit ends a run too, and a policy that only observes ends it by a limit alone", () => {
  const stopUnder = (policy: Policy) => firstStop(lookedAt(stuckRun("a", 12), undefined, policy));
  const limits = { turns: { stop: 5 } };
  expect(stopUnder(defaultPolicy)).toMatchObject({ level: "halt", call: 7 });
  expect(stopUnder({ ...defaultPolicy, limits })).toMatchObject({ limit: "turns", level: "halt", call: 4 });
  expect(stopUnder({ ...defaultPolicy, mode: "advise" })).toMatchObject({ level: "halt", call: 7 });
  expect(stopUnder({ ...defaultPolicy, mode: "observe" })).toBeUndefined();
  expect(stopUnder({ ...defaultPolicy, mode: "observe", limits })).toMatchObject({ limit: "turns" });
});

test("subagents that were started in circles are in the run above them, which has their cost", () => {
  const children = ["c1", "c2", "c3", "c4"];
  const found = worst("cost", parentLine("p", children), ...children.map((id) => childLine(id, "p")));
  expect(found.map(({ run, costUsd }) => [run.recordedId, costUsd])).toEqual([["p", 6.3]]);
});
