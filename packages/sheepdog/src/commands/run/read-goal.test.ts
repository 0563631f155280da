import { dirname } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { readGoal } from "./read-goal.ts";

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
    problems: ["--expect-equals: the text must not be empty"],
  });
});

test("a goal is a text or a file that contains it, with the expected answer as its criteria", async () => {
  const cwd = dirname(await file("goal.md", "All tests pass."));
  expect(await readGoal({ goal: "goal.md" }, "Go.", cwd)).toEqual({ text: "All tests pass." });
  expect(await readGoal({ goal: "All is well." }, "Go.", cwd)).toEqual({ text: "All is well." });
  const expected = await readGoal({ expect: ["42"] }, "What is it?", cwd);
  expect(expected).toEqual({ text: "What is it?", criteria: [{ type: "OutputContains", text: "42" }] });
  expect(await readGoal({}, "Go.", cwd)).toBeUndefined();
});

test("--check is a command that has to succeed; --director without a goal has the prompt as its goal", async () => {
  expect(await readGoal({ check: ["npm test", "npm run lint"] }, "Go.", "/")).toEqual({
    text: "Go.",
    criteria: [
      { type: "Command", command: "npm test" },
      { type: "Command", command: "npm run lint" },
    ],
  });
  expect(await readGoal({ director: true }, "Go.", "/")).toEqual({ text: "Go." });
});

test("the options add criteria to those of a goal file", async () => {
  const cwd = dirname(
    await file("goal.toml", "text = 'It works.'\nthreshold = 0.5\n[[criteria]]\njudged = 'It works.'"),
  );
  expect(await readGoal({ goal: "goal.toml", expect: ["42"], check: ["true"] }, "Go.", cwd)).toEqual({
    text: "It works.",
    threshold: 0.5,
    criteria: [
      { type: "LlmJudge", text: "It works." },
      { type: "OutputContains", text: "42" },
      { type: "Command", command: "true" },
    ],
  });
});

test("the name of a missing file or of a folder is no text", async () => {
  const cwd = dirname(await file("goal.txt", "It works."));
  expect(await readGoal({ goal: "gaol.txt" }, "Go.", cwd)).toEqual({
    problems: ["--goal gaol.txt: there is no such file"],
  });
  expect(await readGoal({ goal: "." }, "Go.", cwd)).toEqual({ problems: ["--goal .: this is a folder"] });
  expect(await readGoal({ goal: "Done." }, "Go.", cwd)).toEqual({ text: "Done." });
});

test("a word that ends in .toml is the name of a goal file, a sentence with this ending is a text", async () => {
  const cwd = dirname(await file("my goal.toml", "text = 'It works.'"));
  expect(await readGoal({ goal: "gaol.toml" }, "Go.", cwd)).toEqual({ problems: ["gaol.toml: there is no such file"] });
  expect(await readGoal({ goal: "Write a Cargo.toml" }, "Go.", cwd)).toEqual({ text: "Write a Cargo.toml" });
  expect(await readGoal({ goal: "my goal.toml" }, "Go.", cwd)).toEqual({ text: "It works." });
});

test("an empty goal is a problem", async () => {
  const cwd = dirname(await file("empty.md", "\n"));
  expect(await readGoal({ goal: "empty.md" }, "Go.", cwd)).toEqual({
    problems: ["--goal: the goal must not be empty"],
  });
  expect(await readGoal({ expect: ["a", " "] }, "Go.", cwd)).toEqual({
    problems: ["--expect: the text must not be empty"],
  });
  expect(await readGoal({ check: ["npm test", " "], expect: [""] }, "Go.", cwd)).toEqual({
    problems: ["--expect: the text must not be empty", "--check: the command must not be empty"],
  });
});

test("a file that is not text, or is too large, is not a goal", async () => {
  const cwd = dirname(await file("binary", Buffer.from([0x48, 0xff, 0xfe])));
  expect(await readGoal({ goal: "binary" }, "Go.", cwd)).toEqual({ problems: ["--goal binary: it is not UTF-8 text"] });
  await file("long.md", "a".repeat(10 * 1024 * 1024 + 1));
  expect(await readGoal({ goal: "long.md" }, "Go.", cwd)).toEqual({
    problems: ["--goal long.md: it is larger than 10 MB"],
  });
});
