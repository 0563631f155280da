import { setTimeout as pause } from "node:timers/promises";
import type { Approval, CallPart, GivenRunAnswer, RunQuestion } from "@sheepdog/agent";
import { describe, expect, test } from "vitest";
import { createOpenQuestions } from "./open-questions.ts";
import { type Asker, withRemoteAnswers } from "./remote-answers.ts";

const call: CallPart = { type: "call", id: "c1", tool: "bash", input: { command: "make" } };
const runQuestion = { id: "e1/block", text: "It repeats itself." } as RunQuestion; // only the id is read
const question = { callId: "c2", text: "Which port?", choices: [] };
const { signal } = new AbortController();

/** A terminal in which the test answers, and what became of its questions. */
function fakeTerminal() {
  const log: string[] = [];
  let answerOpen = (_: unknown) => {};
  const ask = (what: string, withdrawn: AbortSignal, none: unknown) =>
    new Promise<never>((resolve) => {
      answerOpen = (answer) => resolve(answer as never); // the test knows the question
      withdrawn.addEventListener("abort", () => {
        log.push(`withdrawn: ${what}`);
        resolve(none as never);
      });
    });
  const terminal: Asker = {
    approve: (_call, _reason, withdrawn) => ask("approval", withdrawn, { isAllowed: false, isUnanswered: true }),
    ask: (_question, withdrawn) => ask("question", withdrawn, undefined),
    askAboutRun: (_question, withdrawn) => ask("run", withdrawn, undefined),
  };
  return { terminal, log, answer: (answer: unknown) => answerOpen(answer) };
}

function setUp() {
  const questions = createOpenQuestions();
  const { terminal, log, answer } = fakeTerminal();
  const asker = withRemoteAnswers({ questions, terminal, say: (sentence) => log.push(sentence) });
  return { questions, asker, log, answer };
}

describe("a question in the terminal that another process answers", () => {
  test("an approval is withdrawn from the terminal, which says so", async () => {
    const { questions, asker, log } = setUp();
    const asked = asker.approve(call, "why", signal);
    expect(questions.answer({ type: "approval", callId: "c1", isAllowed: true })).toBeUndefined();
    expect(await asked).toEqual({ isAllowed: true, by: "remote" });
    await pause(0);
    expect(log).toEqual(["withdrawn: approval", "Answered from another process: allowed."]);
  });

  test("a no has the reason in the words of the terminal", async () => {
    const { questions, asker, log } = setUp();
    const asked = asker.approve(call, "why", signal);
    questions.answer({ type: "approval", callId: "c1", isAllowed: false, reason: "not today" });
    expect(await asked).toEqual({
      isAllowed: false,
      by: "remote",
      reason: "the user said no: not today",
      words: "not today",
    });
    const again = asker.approve(call, "why", signal);
    questions.answer({ type: "approval", callId: "c1", isAllowed: false });
    expect(await again).toEqual({ isAllowed: false, by: "remote", reason: "the user said no" });
    await pause(0);
    expect(log.filter((line) => line.startsWith("Answered"))).toEqual([
      "Answered from another process: refused: not today",
      "Answered from another process: refused.",
    ]);
  });

  test("so are questions of the agent and about the run", async () => {
    const { questions, asker, log } = setUp();
    const asked = asker.ask(question, signal);
    expect(questions.answer({ type: "reply", callId: "c2", text: "8080" })).toBeUndefined();
    expect(await asked).toBe("8080");
    const askedAboutRun = asker.askAboutRun(runQuestion, signal);
    const answer = { type: "tell", text: "Use the cache." } as const;
    expect(questions.answer({ type: "answer", questionId: "e1/block", answer })).toBeUndefined();
    expect(await askedAboutRun).toEqual({ ...answer, by: "remote" });
    await pause(0);
    expect(log).toEqual([
      "withdrawn: question",
      "Answered from another process: 8080",
      "withdrawn: run",
      "Answered from another process: Use the cache.",
    ]);
  });
});

describe("a call that another process always allows", () => {
  const always = { type: "approval", callId: "c1", isAllowed: true, isAlways: true } as const;

  test("is not asked about again, and another call is", async () => {
    const questions = createOpenQuestions();
    const asker = withRemoteAnswers({ questions });
    const asked = asker.approve(call, "why", signal);
    questions.answer(always);
    expect([await asked, await asker.approve({ ...call, id: "c9" }, "why", signal)]).toEqual([
      { isAllowed: true, by: "remote" },
      { isAllowed: true, by: "remote" },
    ]);
    const other = asker.approve({ ...call, input: { command: "make all" } }, "why", signal);
    questions.answer({ type: "approval", callId: "c1", isAllowed: false });
    expect(await other).toMatchObject({ isAllowed: false });
  });

  test("is known to the terminal, which lets it pass", async () => {
    const questions = createOpenQuestions();
    const { terminal, log } = fakeTerminal();
    const alwaysAllowed = new Set<string>();
    const asker = withRemoteAnswers({ questions, terminal: { ...terminal, alwaysAllowed }, say: (s) => log.push(s) });
    const asked = asker.approve(call, "why", signal);
    questions.answer(always);
    await asked;
    await pause(0);
    expect([alwaysAllowed.size, log.at(-1)]).toEqual([1, "Answered from another process: always allowed."]);
  });
});

describe("an answer of another process is refused", () => {
  const allow = { type: "approval", callId: "c1", isAllowed: true } as const;

  test("after the terminal has answered", async () => {
    const { questions, asker, answer } = setUp();
    const asked = asker.approve(call, "why", signal);
    answer({ isAllowed: false } satisfies Approval);
    expect(await asked).toEqual({ isAllowed: false, by: "terminal" });
    expect(questions.answer(allow)).toBe("This question was answered already.");
  });

  test("the second time, and the first answer stays", async () => {
    const { questions, asker } = setUp();
    const asked = asker.approve(call, "why", signal);
    expect(questions.answer({ ...allow, isAllowed: false })).toBeUndefined();
    expect(questions.answer(allow)).toBe("This question was answered already.");
    expect(await asked).toMatchObject({ isAllowed: false });
  });

  test("if it names another call, another question or another kind of question", async () => {
    const { questions, asker, answer } = setUp();
    const asked = asker.approve(call, "why", signal);
    expect(questions.answer({ ...allow, callId: "c0" })).toBe("No such question is open.");
    expect(questions.answer({ type: "reply", callId: "c1", text: "yes" })).toBe("No such question is open.");
    const stop = { type: "stop" } as const;
    expect(questions.answer({ type: "answer", questionId: "c1", answer: stop })).toBe("No such question is open.");
    answer({ isAllowed: true } satisfies Approval);
    expect(await asked).toEqual({ isAllowed: true, by: "terminal" });
  });

  test("after the question was withdrawn", async () => {
    const { questions, asker } = setUp();
    const ended = new AbortController();
    const asked = asker.approve(call, "why", ended.signal);
    ended.abort();
    expect(await asked).toEqual({ isAllowed: false, isUnanswered: true });
    expect(questions.answer(allow)).toBe("No such question is open.");
  });

  test("if two open questions have the same id, since calls of two sessions may", async () => {
    const { questions, asker } = setUp();
    void asker.ask(question, signal);
    void asker.ask(question, signal);
    expect(questions.answer({ type: "reply", callId: "c2", text: "yes" })).toContain("Two open questions");
  });
});

test("whoever answers first wins, also within the same moment", async () => {
  for (const isTerminalFirst of [true, false]) {
    const { questions, asker, answer } = setUp();
    const asked = asker.askAboutRun(runQuestion, signal);
    if (isTerminalFirst) answer({ type: "continue" } satisfies GivenRunAnswer);
    const refusal = questions.answer({ type: "answer", questionId: "e1/block", answer: { type: "stop" } });
    if (!isTerminalFirst) answer({ type: "continue" } satisfies GivenRunAnswer);
    // The sender is told what counts: an answer that was accepted is the answer of the run.
    expect((await asked)?.type).toBe(refusal === undefined ? "stop" : "continue");
  }
});

test("without a terminal only other processes answer, and the end of the question closes it", async () => {
  const questions = createOpenQuestions();
  const asker = withRemoteAnswers({ questions });
  const asked = asker.ask(question, signal);
  questions.answer({ type: "reply", callId: "c2", text: "8080" });
  expect(await asked).toBe("8080");
  const ended = new AbortController();
  const withdrawn = asker.approve(call, "why", ended.signal);
  ended.abort();
  await expect(withdrawn).rejects.toThrow("the question was withdrawn");
  expect(questions.answer({ type: "approval", callId: "c1", isAllowed: true })).toBe("No such question is open.");
});

test("a failing terminal fails the question and closes it", async () => {
  const questions = createOpenQuestions();
  const broken = () => Promise.reject(new Error("broken"));
  const asker = withRemoteAnswers({ questions, terminal: { approve: broken, ask: broken, askAboutRun: broken } });
  await expect(asker.approve(call, "why", signal)).rejects.toThrow("broken");
  expect(questions.answer({ type: "approval", callId: "c1", isAllowed: true })).toBe("No such question is open.");
});

test("the list of answered questions is bounded", () => {
  const questions = createOpenQuestions();
  const answer = (n: number) => questions.answer({ type: "reply", callId: `c${n}`, text: "yes" });
  for (let n = 0; n < 1_000; n += 1) {
    questions.open("reply", `c${n}`);
    answer(n);
  }
  expect([answer(0), answer(999)]).toEqual(["No such question is open.", "This question was answered already."]);
});
