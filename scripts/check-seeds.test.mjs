import { expect, test } from "vitest";
import { findSeedProblems } from "./check-seeds.mjs";

const source = `test("a sheep is a sheep", () => {});
test.each([1])(
  "of %i sheep", () => {});
test.todo("later", 1);
test.skip("never", () => {});
describe("sheep", () => {});`;
const problems = (shownBy) =>
  findSeedProblems(`| # | promise |\n| 0.1 | a promise | 000:3 | ${shownBy} |`, (file) =>
    file === "a.test.ts" ? source : undefined,
  );

test("a row names tests that exist, or a feature", () => {
  const one = "`a.test.ts` › a sheep is a sheep";
  const other = "`a.test.ts` › of %i sheep";
  for (const shownBy of [one, other, `${one}<br>${other}`, "later: web UI"]) expect(problems(shownBy)).toEqual([]);
});

test("every test of a row is looked for", () => {
  expect(problems("`a.test.ts` › a sheep is a sheep<br>`a.test.ts` › a dog is a dog")).toEqual([
    '0.1: a.test.ts has no test "a dog is a dog"',
  ]);
});

test("a group of tests and a test that is never executed show nothing", () => {
  for (const title of ["later", "never", "sheep"])
    expect(problems(`\`a.test.ts\` › ${title}`)).toEqual([`0.1: a.test.ts has no test "${title}"`]);
});

test("a missing file, a missing test and an empty row are problems", () => {
  expect(problems("`b.test.ts` › a sheep is a sheep")).toEqual(["0.1: there is no file b.test.ts"]);
  expect(problems("`a.test.ts` › a sheep")).toEqual(['0.1: a.test.ts has no test "a sheep"']);
  expect(problems("perhaps")).toEqual(["0.1 names neither a test nor a feature: perhaps"]);
});
