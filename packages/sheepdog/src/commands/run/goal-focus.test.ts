import { expect, test } from "vitest";
import { goalFocus } from "./goal-focus.ts";

test("the focus states the goal and its criteria", () => {
  expect(
    goalFocus({
      text: "The number is known.",
      criteria: [
        { type: "OutputContains", text: "42" },
        { type: "OutputContains", text: "yes", ignoreCase: true },
        { type: "OutputEquals", text: "42" },
        { type: "Command", command: "npm test" },
        { type: "Custom", name: "links" },
        { type: "LlmJudge", text: "The README explains the number." },
      ],
    }),
  ).toEqual({
    goal: "The number is known.",
    must: [],
    should: [],
    criteria: [
      'the answer contains "42"',
      'the answer contains "yes", in capital or small letters',
      'the answer is exactly "42"',
      "the command `npm test` succeeds",
      'the check "links" passes',
      "The README explains the number.",
    ],
  });
});

test("the focus states the constraints by level, with the rule that is checked", () => {
  expect(
    goalFocus({
      text: "The flag works.",
      constraints: [
        { level: "must", text: "Change nothing outside src.", rule: { type: "OnlyFiles", files: ["src/**", "*.md"] } },
        { level: "must", text: "Stay cheap.", rule: { type: "MaxCost", cents: 50 } },
        { level: "must", text: "Be quick.", rule: { type: "MaxSeconds", seconds: 60 } },
        { level: "must", text: "Be brief.", rule: { type: "MaxTurns", turns: 3 } },
        { level: "must", text: "Use no shell.", rule: { type: "ForbiddenTools", tools: ["bash", "web_*"] } },
        { level: "should", text: "Say no names.", rule: { type: "OutputExcludes", text: "Rex" } },
        { level: "should", text: "Keep it clean.", rule: { type: "Command", command: "npm run lint" } },
        { level: "should", text: "Keep the links.", rule: { type: "Custom", name: "links" } },
        { level: "should", text: "Keep the public API." },
      ],
    }),
  ).toEqual({
    goal: "The flag works.",
    must: [
      "Change nothing outside src. (Checked: only these files are written: src/**, *.md.)",
      "Stay cheap. (Checked: costs at most 50 cents.)",
      "Be quick. (Checked: at most 60 seconds.)",
      "Be brief. (Checked: at most 3 turns.)",
      "Use no shell. (Checked: no use of the tools bash, web_*.)",
    ],
    should: [
      'Say no names. (Checked: the answer does not contain "Rex".)',
      "Keep it clean. (Checked: the command `npm run lint` succeeds.)",
      'Keep the links. (Checked: the check "links" passes.)',
      "Keep the public API.",
    ],
    criteria: [],
  });
});
