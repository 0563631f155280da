import { expect, test } from "vitest";
import { countingSums } from "./counting-sums.ts";

test("what was left out is summed over all runs", () => {
  const runs = [{ counting: { repeatedUsage: 3 } }, { counting: {} }, { counting: { repeatedUsage: 1, withoutUsage: 2 } }];
  expect(countingSums(runs)).toEqual({
    repeatedUsage: 4,
    copiedRequests: 0,
    rewoundMessages: 0,
    syntheticReplies: 0,
    withoutUsage: 2,
  });
});
