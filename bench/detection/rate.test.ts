import { expect, test } from "vitest";
import { rateOf } from "./rate.ts";

test("interventions are counted for each 1,000 calls, by level", () => {
  const runs = [
    { calls: 300, reactions: [{ level: "hint" }, { level: "block" }] },
    { calls: 200, reactions: [{ level: "hint" }] },
  ] as const;
  expect(rateOf("made", runs)).toEqual({
    group: "made",
    runs: 2,
    calls: 500,
    per1000Calls: { hint: 4, warn: 0, block: 2, halt: 0 },
  });
});

test("without calls there is no rate", () => {
  expect(rateOf("made", []).per1000Calls).toBeNull();
});
