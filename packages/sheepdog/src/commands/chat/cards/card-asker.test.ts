import { expect, test } from "vitest";
import type { CallToApprove } from "./approval-card.ts";
import { createCardAsker } from "./card-asker.ts";
import type { CardAnswer, Card } from "./card.ts";

const call = (command: string): CallToApprove => ({
  type: "call",
  id: `call ${command}`,
  tool: "bash",
  input: { command },
});
const yes: CardAnswer = { type: "approval", approval: { isAllowed: true }, isAlways: false };
const always: CardAnswer = { ...yes, isAlways: true };

/** A board on which every card is answered the same way. */
function answering(answer: CardAnswer | undefined): {
  readonly asking: ReturnType<typeof createCardAsker>;
  readonly seen: string[];
} {
  const asking = createCardAsker("/nowhere");
  const seen: string[] = [];
  asking.connect({
    show(card: Card) {
      seen.push(card.type === "approval" ? (card.lines[0]?.text ?? "") : card.text);
      if (answer !== undefined) queueMicrotask(() => asking.answer(card.id, answer));
    },
    withdraw: (id) => seen.push(`gone: ${id}`),
    allowed: (title) => seen.push(`allowed: ${title}`),
  });
  return { asking, seen };
}
const open = new AbortController().signal;

test("always is for exactly the same call, and for one session", async () => {
  const { asking, seen } = answering(always);
  for (const command of ["make", "make", "make all"])
    expect(await asking.approve(call(command), "why", open)).toEqual({ isAllowed: true });
  expect(seen).toEqual(["make", "allowed: bash", "make all"]);
  asking.resetAllowed();
  await asking.approve(call("make"), "why", open);
  expect(seen.at(-1)).toBe("make");
});

test("once is once, and a no is passed on with its reason", async () => {
  const once = answering(yes);
  await once.asking.approve(call("make"), "why", open);
  await once.asking.approve(call("make"), "why", open);
  expect(once.seen).toEqual(["make", "make"]);
  const no = answering({ type: "approval", approval: { isAllowed: false, reason: "not now" }, isAlways: true });
  expect(await no.asking.approve(call("make"), "why", open)).toEqual({
    isAllowed: false,
    reason: "the person said no: not now",
  });
  expect(await no.asking.approve(call("make"), "why", open)).toMatchObject({ isAllowed: false });
});

test("a question that nobody waits for any more is taken away, and is no yes", async () => {
  const { asking, seen } = answering(undefined);
  const ending = new AbortController();
  const approving = asking.approve(call("make"), "why", ending.signal);
  const asked = asking.ask({ text: "Which?", choices: [] }, ending.signal);
  await expect.poll(() => seen.length).toBe(2);
  ending.abort();
  expect([await approving, await asked]).toEqual([{ isAllowed: false, reason: "there was no answer" }, undefined]);
  expect(seen.slice(2).sort()).toEqual(["gone: card-1", "gone: card-2"]);
  expect(await asking.approve(call("make"), "why", ending.signal)).toMatchObject({ isAllowed: false });
});

test("an answer is for the call that was shown, also where two have the same id", async () => {
  const asking = createCardAsker("/nowhere");
  const shown: Card[] = [];
  asking.connect({ show: (card) => shown.push(card), withdraw() {}, allowed() {} });
  const approving = ["ls", "rm -rf /"].map((command) =>
    asking.approve({ ...call(command), id: "call_0" }, "why", open),
  );
  await expect.poll(() => shown.length).toBe(2);
  const answerTo = (command: string, answer: CardAnswer) =>
    asking.answer(shown.find((card) => card.type === "approval" && card.lines[0]?.text === command)?.id ?? "", answer);
  answerTo("ls", yes);
  answerTo("rm -rf /", { ...yes, approval: { isAllowed: false } });
  expect((await Promise.all(approving)).map(({ isAllowed }) => isAllowed)).toEqual([true, false]);
});

test("where nobody shows cards, nothing is allowed", async () => {
  const asking = createCardAsker("/nowhere");
  expect([await asking.approve(call("make"), "why", open), await asking.ask({ text: "?", choices: [] }, open)]).toEqual(
    [{ isAllowed: false, reason: "there was no answer" }, undefined],
  );
});
