import { expect, test } from "vitest";
import { call, calls, run, says } from "../test/builders.ts";
import { remainingSpend } from "./spent-after.ts";

const look = { ...calls(call("look", {}, ""), call("look", {}, "")), usage: { costUsd: 0.1 } };
const recorded = run([look, look, { ...says("Done."), usage: { costUsd: 0.2 } }]);

test("counts the calls and the turns after a notice", () => {
  expect(remainingSpend(recorded, { call: 1, turn: 0 })).toEqual({ calls: 2, turns: 2, costUsd: 0.3 });
  expect(remainingSpend(recorded, { call: 3, turn: 1 })).toEqual({ calls: 0, turns: 1, costUsd: 0.2 });
  expect(remainingSpend(recorded, { call: 3, turn: 2 })).toEqual({ calls: 0, turns: 0, costUsd: null });
});

test("a turn that was paid for before its calls were made is not among what came after", () => {
  expect(remainingSpend(recorded, { call: -1, turn: 0 })).toEqual({ calls: 4, turns: 2, costUsd: 0.3 });
  expect(remainingSpend(recorded, { call: 1, turn: 1 })).toEqual({ calls: 2, turns: 1, costUsd: 0.2 });
});

test("where turns have no numbers of their own, the call tells", () => {
  const steps = recorded.steps.map((step) => ({ ...step, turn: 0 }));
  expect(remainingSpend({ ...recorded, steps }, { call: 3, turn: 0 })).toEqual({ calls: 0, turns: 1, costUsd: 0.2 });
});
