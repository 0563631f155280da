import { expect, test } from "vitest";
import { readApprovalAnswer } from "./approval-answer.ts";

const allow = (isAlways: boolean) => ({ type: "allow", isAlways });
const refuse = (why: string) => ({ type: "refuse", why });

test.each([
  ["y", allow(false)],
  ["YES", allow(false)],
  ["a", allow(true)],
  ["always", allow(true)],
  ["n", refuse("")],
  ["No.", refuse("")],
  ["n because it is not mine", refuse("because it is not mine")],
  ["no, use npm test", refuse("use npm test")],
  ["not that file", refuse("not that file")],
  ["a backup comes first", refuse("a backup comes first")],
])("%j is an answer", (line, answer) => {
  expect(readApprovalAnswer(line)).toEqual(answer);
});

test.each([
  ["", "Nothing was typed. Type y"],
  ["ok", '"ok" is no answer. Type y'],
  ["nope", '"nope" is no answer. Type y'],
  ["yes but not in src", "To allow it, type only y. Type y"],
  ["always ask me first", "To allow it, type only y."],
])("%j allows nothing and refuses nothing", (line, problem) => {
  expect(readApprovalAnswer(line)).toEqual({ type: "unclear", problem: expect.stringContaining(problem) });
});
