import { expect, test } from "vitest";
import type { Goal } from "../protocol/goal.ts";
import { checkGoal } from "./check-goal.ts";

const whole: Goal = {
  text: "The bug is fixed.",
  threshold: 0.5,
  criteria: [
    { type: "OutputContains", text: "fixed", ignoreCase: true, weight: 2 },
    { type: "OutputEquals", text: "fixed" },
    { type: "Command", command: "npm test", timeoutSecs: 60 },
    { type: "Custom", name: "isTyped" },
    { type: "LlmJudge", text: "The explanation is clear." },
  ],
  constraints: [
    { level: "must", text: "Be polite." },
    { level: "should", text: "No TODO.", rule: { type: "OutputExcludes", text: "TODO" } },
    { level: "must", text: "Compiles.", rule: { type: "Command", command: "make" } },
    { level: "must", text: "Typed.", rule: { type: "Custom", name: "isTyped" } },
    { level: "must", text: "Short.", rule: { type: "MaxTurns", turns: 5 } },
    { level: "must", text: "Fast.", rule: { type: "MaxSeconds", seconds: 60 } },
    { level: "must", text: "Cheap.", rule: { type: "MaxCost", cents: 10 } },
    { level: "must", text: "No web.", rule: { type: "ForbiddenTools", tools: ["web_*"] } },
    { level: "must", text: "Only src.", rule: { type: "OnlyFiles", files: ["src/**"] } },
  ],
};

test("a goal with every kind of criterion and rule is fine", () => {
  expect(() => checkGoal(whole, { checks: { isTyped: () => true } })).not.toThrow();
});

test.each<[string, unknown, string]>([
  ["no goal", undefined, "Expected a goal with a text that says what is to be achieved."],
  ["an empty text", { text: " " }, "Expected a goal with a text that says what is to be achieved."],
  ["another field", { text: "x", limit: 1 }, "a goal has text, criteria, threshold, constraints; got limit."],
  ["a threshold of 0", { text: "x", threshold: 0 }, "Expected a goal with a `threshold` above 0 and at most 1, got 0."],
  ["a threshold of 80", { text: "x", threshold: 80 }, "above 0 and at most 1, got 80."],
  [
    "criteria that are no list",
    { text: "x", criteria: {} },
    "Expected a goal whose `criteria` are a list, got an object.",
  ],
  [
    "a criterion that is a text",
    { text: "x", criteria: ["y"] },
    'is a criterion of one of the types OutputContains, OutputEquals, Command, Custom, LlmJudge, got "y".',
  ],
  ["an unknown type", { text: "x", criteria: [{ type: "Contains" }] }, 'got "Contains".'],
  ["an inherited type", { text: "x", criteria: [{ type: "toString" }] }, 'got "toString".'],
  [
    "an empty criterion",
    { text: "x", criteria: [{ type: "LlmJudge", text: "" }] },
    'with a `text`: a text that is not empty, got "".',
  ],
  [
    "a time that no timer can have",
    { text: "x", criteria: [{ type: "Command", command: "y", timeoutSecs: 5_000_000 }] },
    "with a `timeoutSecs`: a number of seconds above 0 and at most 2147483, got 5000000.",
  ],
  [
    "more criteria than a model can be asked about",
    { text: "x", criteria: Array.from({ length: 201 }, () => ({ type: "LlmJudge", text: "y" })) },
    "Expected a goal with at most 200 `criteria`, got 201.",
  ],
  [
    "a weight that no sum can hold",
    { text: "x", criteria: [{ type: "LlmJudge", text: "y", weight: 1e308 }] },
    "a number above 0 and at most 1000000, got 1e+308.",
  ],
  [
    "a weight of 0",
    { text: "x", criteria: [{ type: "LlmJudge", text: "y", weight: 0 }] },
    "with a `weight`: a number above 0 and at most 1000000, got 0.",
  ],
  [
    "another field of a criterion",
    { text: "x", criteria: [{ type: "OutputEquals", text: "y", ignoreCase: true }] },
    "a criterion (`criteria[0]`) has type, text, weight; got ignoreCase.",
  ],
  [
    "a level",
    { text: "x", constraints: [{ level: "may", text: "y" }] },
    '`constraints[0]` has the `level` must or should, got "may".',
  ],
  [
    "a constraint without text",
    { text: "x", constraints: [{ level: "must" }] },
    "has a `text` that is not empty, got undefined.",
  ],
  [
    "a rule",
    { text: "x", constraints: [{ level: "must", text: "y", rule: { type: "MaxTurns", turns: 1.5 } }] },
    "`constraints[0].rule` is a rule with a `turns`: a whole number above 0, got 1.5.",
  ],
  [
    "an empty list",
    { text: "x", constraints: [{ level: "must", text: "y", rule: { type: "OnlyFiles", files: [] } }] },
    "a list of texts that are not empty, got a list.",
  ],
  [
    "an unknown check",
    { text: "x", criteria: [{ type: "Custom", name: "isTyped" }] },
    '"isTyped" is not; there are isFast.',
  ],
])("%s is refused with a sentence", (_name, goal, sentence) => {
  const check = () => checkGoal(goal as Goal, { checks: { isFast: () => true } }); // untrue on purpose
  expect(check).toThrow(sentence);
  expect(check).toThrow(/^Expected a goal .*\.$/);
});

test("a judge of the caller may know checks that the runtime does not", () => {
  expect(() => checkGoal({ text: "x", criteria: [{ type: "Custom", name: "own" }] })).not.toThrow();
});
