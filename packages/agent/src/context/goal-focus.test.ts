import { expect, test } from "vitest";
import type { Goal } from "../protocol/goal.ts";
import { goalFocus, systemWithGoal } from "./goal-focus.ts";
import { buildSystem } from "./layers.ts";

const goal: Goal = {
  text: "The bug is fixed.",
  criteria: [
    { type: "OutputContains", text: "done", ignoreCase: true },
    { type: "OutputEquals", text: "42" },
    { type: "Command", command: "npm test" },
    { type: "Custom", name: "isTyped" },
    { type: "LlmJudge", text: "The cause is named." },
  ],
  constraints: [
    { level: "must", text: "Change src only.", rule: { type: "OnlyFiles", files: ["src/**"] } },
    { level: "should", text: "Be brief." },
  ],
};

test("the focus has the goal, its constraints and its criteria as sentences", () => {
  expect(goalFocus(goal)).toEqual({
    goal: "The bug is fixed.",
    must: ["Change src only. (only these files are written: src/**)"],
    should: ["Be brief."],
    criteria: [
      'the answer contains "done", in any case',
      'the answer is exactly "42"',
      "the command succeeds: npm test",
      'the check "isTyped" passes',
      "The cause is named.",
    ],
  });
});

test("the system text ends with the goal, once", () => {
  const system = systemWithGoal("You are.", goal);
  expect(system).toMatch(
    /^You are\.\n\n<focus>\nGoal: The bug is fixed\.\n[\s\S]*\n- The cause is named\.\n<\/focus>$/,
  );
  const built = buildSystem({ identity: { text: "You are." }, focus: goalFocus(goal) });
  expect(systemWithGoal(built, goal)).toBe(built);
  expect(systemWithGoal("You are.", undefined)).toBe("You are.");
});
