import { expect, test } from "vitest";
import type { Label } from "./labels.ts";
import { leaveOneSourceOut, type Setting } from "./leave-one-out.ts";

interface Run {
  readonly source: string;
  readonly label: Label;
}

test("the setting for a source is chosen on the other sources", () => {
  const runs = [stuckRun("a", 3), stuckRun("a", 3), stuckRun("b", 6), stuckRun("b", 6), stuckRun("b", 6)];
  const { chosen, score } = leaveOneSourceOut("rule", runs, [at(3), at(6)]);
  expect(chosen).toEqual([
    { source: "a", setting: "at 6" },
    { source: "b", setting: "at 3" },
  ]);
  expect(score).toMatchObject({ runs: 5, recall: 0 });
});

test("the first setting wins a tie", () => {
  const runs = [stuckRun("a", 3), stuckRun("b", 3)];
  expect(leaveOneSourceOut("rule", runs, [at(3), at(3, "the same")]).chosen.map(({ setting }) => setting)).toEqual([
    "at 3",
    "at 3",
  ]);
});

test("a system with one setting is judged as it is, with all its reactions up to the first stop", () => {
  const setting: Setting<Run> = {
    name: "default",
    *reactions() {
      yield { call: 0, action: "hint" };
      yield { call: 3, action: "stop" };
      throw new Error("Expected nobody to read on after a stop.");
    },
  };
  const { chosen, score } = leaveOneSourceOut("rule", [stuckRun("a", 3), stuckRun("b", 3)], [setting]);
  expect({ chosen, f1: score.f1, caught: score.caught }).toEqual({ chosen: [], f1: 0, caught: 1 });
});

function stuckRun(source: string, onset: number): Run {
  return { source, label: { verdict: "stuck", onset, until: onset, kind: "repeat", note: "" } };
}

function at(call: number, name = `at ${call}`): Setting<Run> {
  return { name, reactions: () => [{ call, action: "hint" }] };
}
