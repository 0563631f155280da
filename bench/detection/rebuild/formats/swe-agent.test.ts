import { expect, test } from "vitest";
import { issueOfTrajectory, stepsOfTrajectory } from "./swe-agent.ts";

test("a command of SWE-agent is a tool of its own; anything else is a call of the shell", () => {
  const trajectory = [
    { thought: "Look.", action: "\nopen a.py 10\n", observation: "[File: a.py]" },
    { thought: null, action: "opening hours", observation: "bash: opening: command not found" },
    { action: null, observation: null },
  ];
  expect(stepsOfTrajectory({ trajectory })).toEqual([
    {
      text: "Look.",
      calls: [{ name: "open", args: { command: "open a.py 10" }, result: "[File: a.py]", isError: false }],
    },
    {
      text: "",
      calls: [
        {
          name: "bash",
          args: { command: "opening hours" },
          result: "bash: opening: command not found",
          isError: true,
        },
      ],
    },
    { text: "", calls: [{ name: "bash", args: { command: "" }, result: "", isError: false }] },
  ]);
});

test("the issue is in the first prompt that is no demonstration", () => {
  const prompt = (issue: string) => `We solve this.\nISSUE:\n${issue}\n\nINSTRUCTIONS:\nNow work.`;
  const history = [
    { role: "system", content: prompt("system") },
    { role: "user", content: prompt("demonstration"), is_demo: true },
    { role: "user", content: prompt("It fails.\nAlways.") },
  ];
  expect(issueOfTrajectory({ history })).toBe("It fails.\nAlways.");
  expect(issueOfTrajectory({ history: [] })).toBe("");
});
