import { describe, expect, test } from "vitest";
import type { Topic } from "../notice.ts";
import { actionData, actionsFor, readActionData } from "./actions.ts";
import { intentOfAction, intentOfText, intentOfVerb } from "./intent.ts";

const approval: Topic = { type: "approval", callId: "c1" };
const question: Topic = { type: "question", questionId: "q1" };
const reply: Topic = { type: "reply", callId: "c1", choices: ["80", "8080"] };
const run: Topic = { type: "run", limit: { name: "turns", more: 25 } };
const plainRun: Topic = { type: "run" };

describe("a text", () => {
  test.each([
    [approval, "yes", { type: "approval", callId: "c1", isAllowed: true }],
    [approval, "OK!", { type: "approval", callId: "c1", isAllowed: true }],
    [approval, "/approve@my_bot", { type: "approval", callId: "c1", isAllowed: true }],
    [approval, "no, not on Friday", { type: "approval", callId: "c1", isAllowed: false, reason: "not on Friday" }],
    [approval, "stop", { type: "stop" }],
    [approval, "tell use main instead", { type: "steer", text: "use main instead" }],
    [question, "continue", { type: "answer", questionId: "q1", answer: { type: "continue" } }],
    [question, "stop", { type: "answer", questionId: "q1", answer: { type: "stop" } }],
    [
      question,
      "try the other test",
      { type: "answer", questionId: "q1", answer: { type: "tell", text: "try the other test" } },
    ],
    [reply, "yes", { type: "reply", callId: "c1", text: "yes" }],
    [reply, "stop", { type: "stop" }],
    [run, "raise 10", { type: "limit", limit: "turns", more: 10 }],
    [plainRun, "raise $2.50", { type: "limit", limit: "run-cost", more: 2_500_000_000 }],
    [plainRun, "raise +2", { type: "limit", limit: "run-cost", more: 2_000_000_000 }],
    [plainRun, "budget looks fine, go on", { type: "steer", text: "budget looks fine, go on" }],
    [plainRun, "more 5", { type: "steer", text: "more 5" }],
    [plainRun, "raise the timeout to 5 s", { type: "steer", text: "raise the timeout to 5 s" }],
    [reply, "raise 10", { type: "reply", callId: "c1", text: "raise 10" }],
    [reply, "tell me more", { type: "reply", callId: "c1", text: "tell me more" }],
    [reply, "cancel", { type: "reply", callId: "c1", text: "cancel" }],
    [reply, "stop at 80", { type: "reply", callId: "c1", text: "stop at 80" }],
    [plainRun, "stop using npm", { type: "steer", text: "stop using npm" }],
    [plainRun, "Look at the log first.", { type: "steer", text: "Look at the log first." }],
  ] as const)("%j %s", (topic, text, message) => {
    expect(intentOfText(text, topic)).toMatchObject({ message });
  });

  test.each([
    [approval, "maybe"],
    [approval, "yes but only the tests"],
    [approval, "stop asking me"],
    [approval, "continue"],
    [plainRun, "raise a lot"],
    [plainRun, "raise -5"],
    [plainRun, "raise 0"],
    [question, ""],
    [approval, "tell"],
  ] as const)("%j %s is not understood, and nothing is done", (topic, text) => {
    expect(intentOfText(text, topic)).toEqual({ problem: expect.stringMatching(/[Rr]eply/) });
  });
});

describe("an action of a program", () => {
  test.each([
    [approval, "approve", "looks good", { type: "approval", callId: "c1", isAllowed: true }],
    [approval, "deny", "not on Friday", { type: "approval", callId: "c1", isAllowed: false, reason: "not on Friday" }],
    [plainRun, "stop", "too expensive", { type: "stop" }],
    [question, "stop", "enough", { type: "answer", questionId: "q1", answer: { type: "stop" } }],
    [question, "continue", "", { type: "answer", questionId: "q1", answer: { type: "continue" } }],
    [plainRun, "tell", "stop", { type: "steer", text: "stop" }],
    [run, "raise", "10", { type: "limit", limit: "turns", more: 10 }],
    [reply, "reply", "stop", { type: "reply", callId: "c1", text: "stop" }],
  ] as const)("%j %s %j is done as it is named", (topic, action, text, message) => {
    expect(intentOfAction(action, text, topic)).toMatchObject({ action, message });
  });

  test.each([
    [reply, "approve", ""],
    [reply, "continue", ""],
    [question, "approve", ""],
    [approval, "reply", "yes"],
    [plainRun, "deny", ""],
    [plainRun, "raise", "a lot"],
    [plainRun, "tell", " "],
    [reply, "reply", " "],
  ] as const)("%j %s %j does not fit, and nothing is done", (topic, action, text) => {
    expect(intentOfAction(action, text, topic)).toEqual({ problem: expect.any(String) });
  });
});

test("every button is understood, and fits into 64 bytes", () => {
  for (const topic of [approval, question, reply, run, plainRun])
    for (const { verb } of actionsFor(topic)) {
      const data = actionData(verb, "AbCdEfGhIjKlMnOpQrStUv");
      expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
      expect(readActionData(data)).toEqual({ verb, requestId: "AbCdEfGhIjKlMnOpQrStUv" });
      expect(intentOfVerb(verb, topic)).toHaveProperty("message");
    }
});

test("the labels of choices are plain text, whole characters, and never empty", () => {
  const topic: Topic = { type: "reply", callId: "c1", choices: ["\u001b[2J", `a${"😀".repeat(40)}`, "b\nc"] };
  const labels = actionsFor(topic).map(({ verb, label }) => [verb, label]);
  expect(labels).toEqual([
    ["choice1", expect.stringMatching(/^a(😀)+…$/u)],
    ["choice2", "b c"],
  ]);
});

test("a button that the notice does not have does nothing", () => {
  expect(intentOfVerb("raise", approval)).toHaveProperty("problem");
  expect(intentOfVerb("choice7", reply)).toHaveProperty("problem");
  expect(readActionData("approve:../../etc/passwd")).toBeUndefined();
  expect(readActionData("approve:AbCdEfGhIjKlMnOpQrStU/")).toBeUndefined();
});
