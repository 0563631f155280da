import { expect, test } from "vitest";
import { noticeOf } from "../../test/channels/samples.ts";
import { addNotice, closeQuestion, nextDueAt, noNotices, type PendingNotices, takeDue } from "./coalesce.ts";
import { type Notice, questionKey } from "./notice.ts";

const options = { joinMs: 2_000, questionMs: 0, maxMessages: 2, windowMs: 60_000 } as const;
const hint = (at: number, sentence = `Hint ${at}.`): Notice => noticeOf({ kind: "hint", at, sentence });
const question = (at: number, callId = "c1"): Notice =>
  noticeOf({ kind: "approval", at, sentence: "May it?", topic: { type: "approval", callId } });
const end = (at: number): Notice => noticeOf({ at, sentence: "It is done." });
const all = (...notices: readonly Notice[]): PendingNotices =>
  notices.reduce((state, notice) => addNotice(state, notice, options), noNotices);

test("notices of a run that come close together become one message", () => {
  const state = all(hint(0), hint(500), noticeOf({ kind: "budget", at: 900, sentence: "80 % are spent." }));
  expect(takeDue(state, 1_900, options).messages).toEqual([]);
  const { messages, state: rest } = takeDue(state, 2_000, options);
  expect(messages).toMatchObject([{ kind: "budget", sentence: "80 % are spent.", details: ["Hint 0.", "Hint 500."] }]);
  expect(rest.pending).toEqual([]);
});

test("a question is a message of its own, and does not wait", () => {
  const { messages, state } = takeDue(all(hint(0), question(10)), 10, options);
  expect(messages.map(({ kind }) => kind)).toEqual(["approval"]);
  expect(nextDueAt(state, options)).toBe(2_000);
});

test("in a terminal, a question waits for the user to answer there", () => {
  const patient = { ...options, questionMs: 20_000 };
  const asked = addNotice(noNotices, question(0), patient);
  expect(takeDue(asked, 19_000, patient).messages).toEqual([]);
  expect(nextDueAt(asked, patient)).toBe(20_000);
  const answered = closeQuestion(asked, questionKey({ type: "approval", callId: "c1" }) ?? "");
  expect(takeDue(answered, 30_000, patient).messages).toEqual([]);
});

test("the end takes everything with it at once, and open questions are dropped", () => {
  const { messages, state } = takeDue(all(hint(0), question(10), end(20)), 20, options);
  expect(messages).toMatchObject([{ kind: "end", sentence: "It is done.", details: ["Hint 0."] }]);
  expect(state.pending).toEqual([]);
});

test("a run with many hints sends few messages, and says how many were left out", () => {
  let state = noNotices;
  const messages: Notice[] = [];
  for (let at = 0; at < 60_000; at += 1_000) {
    const taken = takeDue(addNotice(state, hint(at), options), at, options);
    state = taken.state;
    messages.push(...taken.messages);
  }
  expect(messages).toHaveLength(2);
  const last = takeDue(addNotice(state, end(60_000), options), 60_000, options).messages;
  expect(last).toHaveLength(1);
  expect(last[0]?.details.at(-1)).toMatch(/^… and \d+ more$/);
});

test("equal sentences are counted", () => {
  const { messages } = takeDue(all(hint(0, "Again."), hint(1, "Again."), end(2)), 2, options);
  expect(messages[0]?.details).toEqual(["Again. (2 times)"]);
});
