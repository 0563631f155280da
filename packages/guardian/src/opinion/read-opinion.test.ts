import { expect, test } from "vitest";
import { readOpinion } from "./read-opinion.ts";

test.each([
  ['{"verdict":"stuck","advice":"Read the error."}', { verdict: "stuck", advice: "Read the error." }],
  ['```json\n{"verdict": "Working", "advice": ""}\n```', { verdict: "working" }],
  ['The agent pages on.\n{"verdict":"working"}', { verdict: "working" }],
  ['{"verdict":"stuck","advice":"Use {braces}."} That is all.', { verdict: "stuck", advice: "Use {braces}." }],
  ['{"verdict":"stuck","advice":7}', { verdict: "stuck" }],
  ['{"verdict":"stuck","advice":"Stop."} (see foo() {})', { verdict: "stuck", advice: "Stop." }],
])("%s is read", (answer, opinion) => {
  expect(readOpinion(answer)).toEqual(opinion);
});

test.each(["", "stuck", "{", "}", '{"verdict":"maybe"}', "[]", "null}"])("%j is no clear answer", (answer) => {
  expect(readOpinion(answer)).toEqual({ verdict: "unsure" });
});
