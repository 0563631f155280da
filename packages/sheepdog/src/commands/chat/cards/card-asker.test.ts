import type { GateRule, RunQuestion } from "@sheepdog/agent";
import { describe, expect, test, vi } from "vitest";
import type { PermissionRules } from "../../../compose/permission-rules.ts";
import { createOpenQuestions, withRemoteAnswers } from "../../../control/index.ts";
import type { CallToApprove } from "./approval-card.ts";
import type { Card, CardAnswer } from "./card.ts";
import { createCardAsker } from "./card-asker.ts";

const call = (command: string): CallToApprove => ({
  type: "call",
  id: `call ${command}`,
  tool: "bash",
  input: { command },
});
const noRules: PermissionRules = { list: [], file: "config.toml", allowAlways: async () => undefined };
const yes: CardAnswer = { type: "approval", approval: { isAllowed: true }, isAlways: false };
const always: CardAnswer = { ...yes, isAlways: true };

/** An asker whose board logs every card and gives each the same answer. */
function answering(
  answer: CardAnswer | undefined,
  rules = noRules,
): {
  readonly asker: ReturnType<typeof createCardAsker>;
  readonly log: string[];
} {
  const asker = createCardAsker("/nowhere", rules);
  const log: string[] = [];
  asker.connect({
    show(card: Card) {
      log.push(card.type === "approval" ? (card.lines[0]?.text ?? "") : card.id);
      if (answer !== undefined) queueMicrotask(() => asker.answer(card.id, answer));
    },
    withdraw: (id) => log.push(`withdrawn: ${id}`),
    allowed: (title) => log.push(`allowed: ${title}`),
    say: (sentence) => log.push(sentence),
  });
  return { asker, log };
}
const { signal } = new AbortController();

test("an always applies to exactly the same call, and to one session", async () => {
  const { asker, log } = answering(always);
  for (const command of ["make", "make", "make all"])
    expect(await asker.approve(call(command), "why", signal)).toEqual({ isAllowed: true });
  expect(log).toEqual(["make", "allowed: bash", "make all"]);
  asker.resetAllowed();
  await asker.approve(call("make"), "why", signal);
  expect(log.at(-1)).toBe("make");
});

test("a yes applies once, and a no includes its reason", async () => {
  const once = answering(yes);
  await once.asker.approve(call("make"), "why", signal);
  await once.asker.approve(call("make"), "why", signal);
  expect(once.log).toEqual(["make", "make"]);
  const no = answering({ type: "approval", approval: { isAllowed: false, reason: "not now" }, isAlways: true });
  expect(await no.asker.approve(call("make"), "why", signal)).toEqual({
    isAllowed: false,
    reason: "the user said no: not now",
    words: "not now",
  });
  expect(await no.asker.approve(call("make"), "why", signal)).toMatchObject({ isAllowed: false });
});

describe("a rule", () => {
  const rule: GateRule = { tool: "bash", command: "git push *", decision: "allow" };
  const written: CardAnswer = { ...yes, isRule: true };

  test("is written only if the user confirms it, and the chat says so", async () => {
    const added: GateRule[] = [];
    const rules: PermissionRules = { ...noRules, allowAlways: async (each) => void added.push(each) };
    const once = answering(yes, rules);
    expect(await once.asker.approve(call("git push"), "why", signal, rule)).toEqual({ isAllowed: true });
    expect(added).toEqual([]);
    const { asker, log } = answering(written, rules);
    expect(await asker.approve(call("git push"), "why", signal, rule)).toEqual({ isAllowed: true });
    expect(added).toEqual([rule]);
    expect(log.at(-1)).toBe('The rule allow bash "git push *" is in config.toml and applies from now on.');
  });

  test("that cannot be written allows the call once, and the chat says why", async () => {
    const { asker, log } = answering(written, { ...noRules, allowAlways: async () => "the disk is full" });
    expect(await asker.approve(call("git push"), "why", signal, rule)).toEqual({ isAllowed: true });
    expect(log.at(-1)).toBe("The call is allowed once. The rule was not written: the disk is full");
  });
});

test("an aborted question is withdrawn and does not count as a yes", async () => {
  const { asker, log } = answering(undefined);
  const ending = new AbortController();
  const approving = asker.approve(call("make"), "why", ending.signal);
  const answered = asker.ask({ callId: "call_1", text: "Which?", choices: [] }, ending.signal);
  await expect.poll(() => log.length).toBe(2);
  ending.abort();
  expect([await approving, await answered]).toEqual([
    { isAllowed: false, isUnanswered: true, reason: "there was no answer" },
    undefined,
  ]);
  expect(log.slice(2).sort()).toEqual(["withdrawn: card-1", "withdrawn: card-2"]);
  expect(await asker.approve(call("make"), "why", ending.signal)).toMatchObject({ isAllowed: false });
});

test("an answer belongs to the call on the card, even if two calls have the same id", async () => {
  const asker = createCardAsker("/nowhere", noRules);
  const shown: Card[] = [];
  asker.connect({ show: (card) => shown.push(card), withdraw() {}, allowed() {}, say() {} });
  const approving = ["ls", "rm -rf /"].map((command) =>
    asker.approve({ ...call(command), id: "call_0" }, "why", signal),
  );
  await expect.poll(() => shown.length).toBe(2);
  const answerTo = (command: string, answer: CardAnswer) =>
    asker.answer(shown.find((card) => card.type === "approval" && card.lines[0]?.text === command)?.id ?? "", answer);
  answerTo("ls", yes);
  answerTo("rm -rf /", { ...yes, approval: { isAllowed: false } });
  expect((await Promise.all(approving)).map(({ isAllowed }) => isAllowed)).toEqual([true, false]);
});

test("a question about the run that is asked again says why on its card", async () => {
  const asker = createCardAsker("/nowhere", noRules);
  const shown: Card[] = [];
  asker.connect({
    show(card) {
      shown.push(card);
      asker.answer(card.id, { type: "run", answer: { type: "stop" } });
    },
    withdraw() {},
    allowed() {},
    say() {},
  });
  const problem = "The message has about 90,000 tokens.";
  for (const question of [runQuestion, { ...runQuestion, problem }])
    expect(await asker.askAboutRun(question, signal)).toEqual({ type: "stop" });
  const card = { type: "run", status: "5 turns, $0.021 so far.", continueChoice: "continue" };
  expect(shown).toEqual([
    { ...card, id: "card-1" },
    { ...card, id: "card-2", problem },
  ]);
});

const runQuestion: RunQuestion = {
  id: "e1/block",
  text: "The call has failed 5 times.",
  intervention: {
    id: "e1/block",
    detector: "failing-call",
    level: "block",
    effect: "deny",
    call: 4,
    evidence: [0, 1, 2, 3, 4],
    count: 5,
    message: "",
    isApplied: true,
  },
  ifContinued: { type: "mute", episode: "e1" },
  turns: 5,
  costNanoUsd: 21_000_000,
};

test("without a board, nothing is allowed", async () => {
  const asker = createCardAsker("/nowhere", noRules);
  expect([
    await asker.approve(call("make"), "why", signal),
    await asker.ask({ callId: "call_1", text: "?", choices: [] }, signal),
  ]).toEqual([{ isAllowed: false, isUnanswered: true, reason: "there was no answer" }, undefined]);
});

test("a card that another process answers disappears, with a line about the answer", async () => {
  const { asker, log } = answering(undefined);
  const questions = createOpenQuestions();
  const remote = withRemoteAnswers({ questions, terminal: asker, say: (sentence) => asker.say(sentence) });
  const asked = remote.approve(call("make"), "why", signal);
  await vi.waitFor(() => expect(log).toEqual(["make"]));
  questions.answer({ type: "approval", callId: "call make", isAllowed: true });
  expect(await asked).toEqual({ isAllowed: true, by: "remote" });
  await vi.waitFor(() => expect(log).toEqual(["make", "withdrawn: card-1", "Answered from another process: allowed."]));
});
