import { expect, test } from "vitest";
import type { Waiting } from "../contract/index.ts";
import { waitingQuestion } from "./waiting.fixture.ts";
import { cardKey, changedCards, newAnswers, nextOpenCard, type WaitingCard } from "./waiting-cards.ts";

const [first, second, third] = ["q_1", "q_2", "q_3"].map((id) => waitingQuestion({ id }));
if (first === undefined || second === undefined || third === undefined) throw new Error("Three questions are needed.");
const answerText = ({ id }: Waiting) => `Answered: ${id}.`;
const change = (cards: readonly WaitingCard[], waiting: readonly Waiting[], now: number) =>
  changedCards(cards, { waiting, now, answerText });
const open = (waiting: Waiting): WaitingCard => ({ waiting, answered: undefined });

test("a new question comes last, so that no card moves under the pointer", () => {
  expect(change([open(first), open(second)], [third, second, first], 0)).toEqual([
    open(first),
    open(second),
    open(third),
  ]);
});

test("an answered card stays in its place for a moment, says what was answered, and leaves", () => {
  const answered = change([open(first), open(second)], [second], 1_000);
  const gone = { waiting: first, answered: { text: "Answered: q_1.", leavesAt: 7_000 } };
  expect(answered).toEqual([gone, open(second)]);
  expect(change(answered, [second], 6_999)).toEqual([gone, open(second)]);
  expect(change(answered, [second], 7_000)).toEqual([open(second)]);
});

test("an answered card stays as long as the pointer is over the cards", () => {
  const answered = change([open(first), open(second)], [second], 1_000);
  const held = changedCards(answered, { waiting: [second], now: 60_000, isHeld: true, answerText });
  expect(held).toEqual(answered);
  expect(change(held, [second], 60_000)).toEqual([open(second)]);
});

test("each card that is answered is counted once", () => {
  const before = [open(first), open(second)];
  const answered = change(before, [second], 1_000);
  const later = change(answered, [second], 2_000);
  expect([newAnswers(before, before), newAnswers(before, answered), newAnswers(answered, later)]).toEqual([0, 1, 0]);
});

test("after an answer the next open card is selected, from the last one the first", () => {
  const cards = [open(first), open(second), open(third)];
  expect(nextOpenCard(cards, cardKey(first))).toBe(cardKey(second));
  expect(nextOpenCard(cards, cardKey(third))).toBe(cardKey(first));
  expect(nextOpenCard([open(first)], cardKey(first))).toBe(undefined);
});

test("a card has the newest state of its question", () => {
  const later = { ...first, answerBy: 300_000 };
  expect(change([open(first)], [later], 0)).toEqual([open(later)]);
});

test("a question that is asked again after its card left comes back", () => {
  const answered = change([open(first)], [], 0);
  expect(change(answered, [first], 1_000)).toEqual([open(first)]);
});
