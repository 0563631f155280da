import { expect, test } from "vitest";
import { createCheckRunner } from "./check-runner.ts";
import { judgeInput } from "./testing/judge-input.ts";

const tests = { type: "Command", command: "npm test" } as const;

test("a command that was ended with its question is not remembered as failed", async () => {
  const checks = createCheckRunner();
  const ended = new AbortController();
  const input = judgeInput({ text: "Win." }, { isAnswer: false, signal: ended.signal });
  await checks.run(tests, {
    ...input,
    async runCommand() {
      ended.abort();
      return { isOk: false, output: "It was ended.", ms: 1 };
    },
  });
  const later = judgeInput({ text: "Win." }, { isAnswer: false, turn: 2 });
  expect(await checks.run(tests, later)).toMatchObject({ isPassed: true, hasFailed: false });
});
