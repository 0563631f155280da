import { expect, test } from "vitest";
import { activeTime } from "./active-time.ts";

test("a pause counts as half a minute at most", () => {
  const [minute, day] = [60_000, 86_400_000];
  expect([activeTime([0, 5_000, 25_000]), activeTime([minute, 0, day]), activeTime([7]), activeTime([])]).toEqual([
    25_000,
    60_000,
    0,
    null,
  ]);
});
