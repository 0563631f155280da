import { expect, test } from "vitest";
import { call, calls, run, says } from "../test/builders.ts";
import { spentAfter } from "./spent-after.ts";

test("counts the turns after the call's own", () => {
  const look = { ...calls(call("look", {}, ""), call("look", {}, "")), usage: { costUsd: 0.1 } };
  const recorded = run([look, look, { ...says("Done."), usage: { costUsd: 0.2 } }]);
  expect(spentAfter(recorded, -1)).toEqual({ calls: 4, turns: 3, costUsd: 0.4 });
  expect(spentAfter(recorded, 0)).toEqual({ calls: 2, turns: 2, costUsd: 0.3 });
  expect(spentAfter(recorded, 3)).toEqual({ calls: 0, turns: 1, costUsd: 0.2 });
  expect(spentAfter(run([says("Hi.")]), -1)).toEqual({ calls: 0, turns: 1, costUsd: null });
});
