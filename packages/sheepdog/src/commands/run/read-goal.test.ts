import { dirname } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { goalFocus, readGoal } from "./read-goal.ts";

const file = scratchFolder();

test("--expect-equals is a criterion for the whole answer, also together with --expect", async () => {
  expect(await readGoal({ expectEquals: "42" }, "What is it?", "/")).toEqual({
    text: "What is it?",
    criteria: [{ type: "OutputEquals", text: "42" }],
  });
  expect(await readGoal({ expect: ["4"], expectEquals: "42" }, "What is it?", "/")).toMatchObject({
    criteria: [{ type: "OutputContains" }, { type: "OutputEquals" }],
  });
  expect(await readGoal({ expectEquals: " " }, "What is it?", "/")).toEqual({
    problem: "--expect-equals: the text must not be empty",
  });
});

test("a goal is a text or a file that contains it, with the expected answer as its criteria", async () => {
  const cwd = dirname(await file("goal.md", "All tests pass."));
  expect(await readGoal({ goal: "goal.md" }, "Go.", cwd)).toEqual({ text: "All tests pass." });
  expect(await readGoal({ goal: "All is well." }, "Go.", cwd)).toEqual({ text: "All is well." });
  expect(await readGoal({ goal: "." }, "Go.", cwd)).toEqual({ text: "." });
  const expected = await readGoal({ expect: ["42"] }, "What is it?", cwd);
  expect(expected).toEqual({ text: "What is it?", criteria: [{ type: "OutputContains", text: "42" }] });
  expect(await readGoal({}, "Go.", cwd)).toBeUndefined();
});

test("the focus states the goal and its criteria", () => {
  expect(goalFocus({ text: "The number is known.", criteria: [{ type: "OutputContains", text: "42" }] })).toEqual({
    goal: "The number is known.",
    criteria: ['the answer contains "42"'],
  });
});

test("an empty goal is a problem", async () => {
  const cwd = dirname(await file("empty.md", "\n"));
  expect(await readGoal({ goal: "empty.md" }, "Go.", cwd)).toEqual({
    problem: "--goal: the goal must not be empty",
  });
  expect(await readGoal({ expect: [""] }, "Go.", cwd)).toEqual({ problem: "--expect: the text must not be empty" });
});

test("a file that is not text, or is too large, is not a goal", async () => {
  const cwd = dirname(await file("binary", Buffer.from([0x48, 0xff, 0xfe])));
  expect(await readGoal({ goal: "binary" }, "Go.", cwd)).toEqual({ problem: "--goal binary: it is not UTF-8 text" });
  await file("long.md", "a".repeat(10 * 1024 * 1024 + 1));
  expect(await readGoal({ goal: "long.md" }, "Go.", cwd)).toEqual({
    problem: "--goal long.md: it is larger than 10 MB",
  });
});
