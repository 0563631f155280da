import { expect, test } from "vitest";
import { findSeedProblems } from "./check-seeds.mjs";

const source =
  'test("a sheep is a sheep", () => {});\ntest.each([1])(\n  "of %i sheep", () => {});\ntest.todo("later", 1);';
const problems = (shownBy) =>
  findSeedProblems(`| # | promise |\n| 0.1 | a promise | 000:3 | ${shownBy} |`, (file) =>
    file === "a.test.ts" ? source : undefined,
  );

test("a row names a test that exists, or a feature", () => {
  for (const shownBy of ["`a.test.ts` › a sheep is a sheep", "`a.test.ts` › of %i sheep", "later: web UI"])
    expect(problems(shownBy)).toEqual([]);
});

test("a missing file, a missing test, a test to be written, and an empty row are problems", () => {
  expect(problems("`b.test.ts` › a sheep is a sheep")).toEqual(["0.1: there is no file b.test.ts"]);
  expect(problems("`a.test.ts` › a sheep")).toEqual(['0.1: a.test.ts has no test "a sheep"']);
  expect(problems("`a.test.ts` › later")).toEqual(['0.1: a.test.ts has no test "later"']);
  expect(problems("perhaps")).toEqual(["0.1 names neither a test nor a feature"]);
});
