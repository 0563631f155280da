import { expect, test } from "vitest";
import type { WireEvent } from "../contract/index.ts";
import { answerNews } from "./answer-words.ts";

const head = { seq: 1, at: 1_000, sessionId: "ses_1", runId: "run_1", severity: "info" } as const;
const news = (body: object) => answerNews({ ...head, ...body } as WireEvent)?.answer; // each body is a whole event

test("an answer is told in the words of its button", () => {
  const answered = { type: "QuestionAnswered", questionId: "q_1" };
  expect(news({ ...answered, answer: "stop" })).toBe("stop it");
  expect(news({ ...answered, answer: "continue" })).toBe("let it continue");
  expect(news({ ...answered, answer: "tell", text: "The button is\ncalled Place order" })).toBe(
    "tell it “The button is”",
  );
  expect(news({ ...answered, answer: "none" })).toBeUndefined();
});

test("an approval says whether the call was approved", () => {
  const resolved = { type: "ApprovalResolved", callId: "call_1" };
  expect(news({ ...resolved, isAllowed: true })).toBe("approved");
  expect(news({ ...resolved, isAllowed: false, reason: "not on Fridays" })).toBe("denied, not on Fridays");
});

test("other events answer nothing", () => {
  expect(answerNews({ ...head, type: "TurnStarted", turn: 3 } as WireEvent)).toBeUndefined();
});
