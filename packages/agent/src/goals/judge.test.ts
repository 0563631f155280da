import { expect, test } from "vitest";
import type { Criterion } from "../protocol/goal.ts";
import type { Message } from "../protocol/messages.ts";
import { criteriaJudge } from "./judge.ts";

const goal = { text: "The number is known.", criteria: [{ type: "OutputContains", text: "42" }] } as const;

function userMessage(origin: "person" | "automatic", reason?: string): Message {
  return { role: "user", id: "msg_1", at: 0, origin, text: "…", ...(reason === undefined ? {} : { reason }) };
}

function judge(messages: readonly Message[], output = "It is 7."): ReturnType<typeof criteriaJudge.evaluate> {
  return criteriaJudge.evaluate({ goal, output, isAnswer: true, messages, signal: new AbortController().signal });
}

const hint = userMessage("automatic", "judge");

test("an answer that misses the goal gets three hints, then is escalated", async () => {
  expect(await judge([userMessage("person"), hint, hint])).toEqual({
    type: "retry",
    hint: 'The answer has to contain "42".',
  });
  expect(await judge([userMessage("person"), hint, hint, hint])).toMatchObject({
    type: "escalate",
    reason: expect.stringContaining('contain "42"'),
  });
  expect(await judge([userMessage("person"), hint, hint, hint], "It is 42.")).toEqual({ type: "accept" });
});

test("before the answer the run continues, unless the criteria are met already", async () => {
  const { signal } = new AbortController();
  const verdict = async (criteria: readonly Criterion[], output: string, isAnswer: boolean) =>
    (await criteriaJudge.evaluate({ goal: { ...goal, criteria }, output, isAnswer, messages: [], signal })).type;
  expect(await verdict([], "I look.", false)).toBe("continue");
  expect(await verdict(goal.criteria, "I look.", false)).toBe("continue");
  expect(await verdict(goal.criteria, "It is 42, I check.", false)).toBe("accept");
  expect(await verdict([], "Anything.", true)).toBe("accept");
});

test("an answer equals a text, or only contains it", async () => {
  const { signal } = new AbortController();
  const evaluate = (output: string) =>
    criteriaJudge.evaluate({
      goal: { ...goal, criteria: [{ type: "OutputEquals", text: "42" }] },
      output,
      isAnswer: true,
      messages: [userMessage("person")],
      signal,
    });
  expect(await evaluate(" 42\n")).toEqual({ type: "accept" });
  expect(await evaluate("It is 42.")).toEqual({ type: "retry", hint: 'The answer has to be exactly "42".' });
});

test("a new message starts the count of hints again", async () => {
  expect(await judge([userMessage("person"), hint, hint, hint, userMessage("automatic")])).toMatchObject({
    type: "retry",
  });
  expect(
    await judge([userMessage("person"), hint, hint, userMessage("automatic", "max_tokens_recovery"), hint]),
  ).toMatchObject({
    type: "escalate",
  });
});
