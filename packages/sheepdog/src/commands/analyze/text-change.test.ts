import { expect, test } from "vitest";
import { foldedParts, textChange } from "./text-change.ts";

test("texts are compared word by word, and long equal parts are cut between words", async () => {
  const before = `npm test -- ${"--reporter verbose ".repeat(10)}--seed 1 --run checkout`;
  const parts = await textChange(before, before.replace("seed 1", "seed 27"));
  expect(foldedParts(parts)).toEqual([
    { of: "both", text: "npm test -- --reporter verbose --reporter verbose … verbose --seed " },
    { of: "before", text: "1" },
    { of: "after", text: "27" },
    { of: "both", text: " --run checkout" },
  ]);
});

test("equal texts are one part", async () => {
  expect(foldedParts(await textChange("same", "same"))).toEqual([{ of: "both", text: "same" }]);
});

test("texts of which less than half is equal are two texts", async () => {
  const [before, after] = ["1 failed in 3 s: expected 4", "Error: the port 4 is taken in"];
  expect(await textChange(before, after)).toEqual([
    { of: "before", text: before },
    { of: "after", text: after },
  ]);
});
