import { dirname } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch.ts";
import { focusOf, readGoal } from "./read-goal.ts";

const file = scratchFolder();

test("a goal is a text, or a file that holds it; what is expected of the answer comes beside", async () => {
  const cwd = dirname(await file("goal.md", "All tests pass."));
  expect(await readGoal({ goal: "goal.md" }, "Go.", cwd)).toEqual({ text: "All tests pass." });
  expect(await readGoal({ goal: "All is well." }, "Go.", cwd)).toEqual({ text: "All is well." });
  expect(await readGoal({ goal: "." }, "Go.", cwd)).toEqual({ text: "." });
  const expected = await readGoal({ expect: ["42"] }, "What is it?", cwd);
  expect(expected).toEqual({ text: "What is it?", criteria: [{ type: "OutputContains", text: "42" }] });
  expect(await readGoal({}, "Go.", cwd)).toBeUndefined();
});

test("the model is told its goal, and what is looked for", () => {
  expect(focusOf({ text: "The number is known.", criteria: [{ type: "OutputContains", text: "42" }] })).toEqual({
    goal: "The number is known.",
    criteria: ['the answer contains "42"'],
  });
});

test("an empty one is told", async () => {
  const cwd = dirname(await file("empty.md", "\n"));
  expect(await readGoal({ goal: "empty.md" }, "Go.", cwd)).toEqual({ problem: "--goal: it must say what is to be achieved" });
  expect(await readGoal({ expect: [""] }, "Go.", cwd)).toEqual({ problem: "--expect: it must not be empty" });
});
