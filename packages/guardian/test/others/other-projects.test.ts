import { describe, expect, test } from "vitest";
import { answerOf } from "./answer.ts";
import { documentOf } from "./document.ts";
import { otherProjects } from "./index.ts";
import { type Answer, type TranslatedTest, verdictOf } from "./other-project.ts";

/** They notice: any intervention is the same answer. */
function expectAnswer(translated: TranslatedTest, expected: Answer): void {
  const answer = answerOf(translated);
  if (expected === "noticed" && verdictOf(translated).verdict === "agree") expect(answer).not.toBe("silent");
  else expect(answer).toBe(expected);
}

describe.each(otherProjects)("$name", ({ tests }) => {
  for (const translated of tests) {
    const { verdict, answer } = verdictOf(translated);
    if (verdict === "wrong") test.fails(translated.name, () => expectAnswer(translated, translated.theirs));
    else test(translated.name, () => expectAnswer(translated, answer));
  }
});

const allTests = otherProjects.flatMap(({ tests }) => tests);

test("what is wrong is wrong in the way that the document says", () => {
  const wrong = allTests.filter((each) => verdictOf(each).verdict === "wrong");
  const answers = (answer: (each: TranslatedTest) => Answer) => wrong.map((each) => `${each.name}: ${answer(each)}`);
  expect(answers(answerOf)).toEqual(answers((each) => verdictOf(each).answer));
});

test("force where another project is silent: these three, on purpose", () => {
  const forced = allTests.filter((each) => each.theirs === "silent" && verdictOf(each).answer === "stopped");
  expect(forced.map(({ name }) => name)).toEqual([
    "nine compactions in a row",
    "a page that does not load eight times, with a click on retry after each",
    "two files written 30 times, with a revision that rises",
  ]);
});

test("a difference is a difference", () => {
  const different = allTests.filter(({ ours }) => ours !== "agree");
  expect(different.filter((each) => verdictOf(each).answer === each.theirs)).toEqual([]);
});

test("the document has these cases", async () => {
  await expect(documentOf(otherProjects)).toMatchFileSnapshot("../../../../docs/other-projects.md");
});
