import { expect, test } from "vitest";
import { isCorrection, saysWhy } from "./correction.ts";

test.each([
  "stop",
  "Stop!",
  "no, stop that",
  "Wait, stop it now",
  "undo that",
  "please undo this",
  "Revert it please",
  "no don't push to main",
  "Don’t delete the tests!",
  "never force push",
  "that's wrong",
  "That was a mistake, I need those files",
  "no, this is not what I asked for",
  "No!",
  "wrong.",
  "why did you delete the branch?",
  "no, please revert the last commit",
])("%j objects to the call before it", (message) => {
  expect(isCorrection(message)).toBe(true);
});

test.each([
  "",
  "stop the server when you are done",
  "don't forget the tests",
  "no problem, continue",
  "No need to hurry",
  "also update the docs",
  "undo support is still missing in the editor",
  "the wrong file is imported in a.ts",
  "do not stop until the tests pass",
  "yes",
  "looks good, now push it",
  "there is no such file, use b.ts",
  "wrong number of arguments is the error I see",
  `stop. ${"A long new instruction follows. ".repeat(10)}`,
])("%j does not", (message) => {
  expect(isCorrection(message)).toBe(false);
});

test.each([
  "no",
  "n",
  "No!",
  "stop that",
  "undo it, please",
  "don't",
  "wait, no",
  "",
  "…",
  "no, that's wrong",
  "why did you do that?",
])("%j gives no reason", (words) => {
  expect(saysWhy(words)).toBe(false);
});

test.each(["not on Fridays", "don't push", "use pnpm", "never force push", "nein, morgen", "node"])(
  "%j gives a reason",
  (words) => {
    expect(saysWhy(words)).toBe(true);
  },
);
