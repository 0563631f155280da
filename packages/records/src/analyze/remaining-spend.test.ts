import { expect, test } from "vitest";
import { call, calls, run, says } from "../../test/builders.ts";
import { remainingSpend } from "./remaining-spend.ts";

const look = { ...calls(call("look", {}, ""), call("look", {}, "")), usage: { costUsd: 0.1 } };
const recorded = run([look, look, { ...says("Done."), usage: { costUsd: 0.2 } }]);

test("counts the calls and the turns after an intervention", () => {
  expect(remainingSpend(recorded, { call: 1, turn: 0 })).toEqual({ calls: 2, turns: 2, costUsd: 0.3 });
  expect(remainingSpend(recorded, { call: 3, turn: 1 })).toEqual({ calls: 0, turns: 1, costUsd: 0.2 });
  expect(remainingSpend(recorded, { call: 3, turn: 2 })).toEqual({ calls: 0, turns: 0, costUsd: null });
});

test("the turn of the intervention itself is not counted", () => {
  expect(remainingSpend(recorded, { call: -1, turn: 0 })).toEqual({ calls: 4, turns: 2, costUsd: 0.3 });
  expect(remainingSpend(recorded, { call: 1, turn: 1 })).toEqual({ calls: 2, turns: 1, costUsd: 0.2 });
});

test("when all turns have the same number, the call decides", () => {
  const steps = recorded.steps.map((step) => ({ ...step, turn: 0 }));
  expect(remainingSpend({ ...recorded, steps }, { call: 3, turn: 0 })).toEqual({ calls: 0, turns: 1, costUsd: 0.2 });
});
