import { dirname } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
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
  expect(await readGoal({ goal: "empty.md" }, "Go.", cwd)).toEqual({
    problem: "--goal: it must say what is to be achieved",
  });
  expect(await readGoal({ expect: [""] }, "Go.", cwd)).toEqual({ problem: "--expect: it must not be empty" });
});

test("a file that is no text, or too much of it, is no goal", async () => {
  const cwd = dirname(await file("binary", Buffer.from([0x48, 0xff, 0xfe])));
  expect(await readGoal({ goal: "binary" }, "Go.", cwd)).toEqual({ problem: "--goal binary: it is no text in UTF-8" });
  await file("long.md", "a".repeat(10 * 1024 * 1024 + 1));
  expect(await readGoal({ goal: "long.md" }, "Go.", cwd)).toEqual({
    problem: "--goal long.md: a text may have 10 MB, and this one has more",
  });
});
