import { expect, test } from "vitest";
import { nextSteps } from "./watch-tools.ts";

test("no step is skipped, although calls end in another order than they began", () => {
  const items = [9, 4, 5, 8, 6].map((seq) => ({ type: "call" as const, seq, text: "" }));
  const seen: number[] = [];
  for (let after = 0; ; ) {
    const steps = nextSteps(items, after, 2);
    if (steps.length === 0) break;
    seen.push(...steps.map(({ seq }) => seq));
    after = steps.at(-1)?.seq ?? after;
  }
  expect(seen).toEqual([4, 5, 6, 8, 9]);
});
