import { dirname } from "node:path";
import type { CallPart, RunQuestion } from "@sheepdog/agent";
import { expect, test, vi } from "vitest";
import { type FakeIo, fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { createProgress } from "./progress.ts";
import { createTerminalAsker, type TerminalAsker } from "./terminal-asker.ts";

const file = scratchFolder();
const call: CallPart = { type: "call", id: "c1", tool: "bash", input: { command: "rm -rf build\u001b[2J" } };
const { signal } = new AbortController();

interface Setup {
  readonly asker: TerminalAsker;
  readonly io: FakeIo;
  /** Types a line once the question was asked `times` times. */
  answer(line: string, question: string, times?: number): Promise<void>;
}

function setUp(cwd = "/nowhere"): Setup {
  let type = (_: string): void => {};
  const typed = new ReadableStream<Uint8Array>({
    start(controller) {
      type = (line) => controller.enqueue(Buffer.from(`${line}\n`));
    },
  });
  const io: FakeIo = {
    ...fakeIo({ isTTY: true, columns: 80, cwd, env: { NO_COLOR: "1" } }),
    stdin: Object.assign(typed, { isTTY: true }),
  };
  const progress = createProgress(io, { verbose: false, isShown: true });
  const answer = async (line: string, question: string, times = 1) => {
    await vi.waitFor(() => expect(io.err().split(question).length - 1).toBe(times));
    type(line);
  };
  return { asker: createTerminalAsker(io, progress, async () => {}), io, answer };
}

test("the whole command is shown with nothing hidden, and an answer applies once or always", async () => {
  const { asker, io, answer } = setUp();
  const asked = asker.approve(call, "It deletes files.", signal);
  await answer("maybe", "Allow it?");
  await answer("y", "Allow it?", 2);
  expect(await asked).toEqual({ isAllowed: true });
  expect(io.err()).toContain("  bash wants to run:\n    rm -rf build\\u{1b}[2J\n  It deletes files.\n");
  const again = asker.approve(call, "It deletes files.", signal);
  await answer("a", "Allow it?", 3);
  expect([await again, await asker.approve(call, "It deletes files.", signal)]).toEqual([
    { isAllowed: true },
    { isAllowed: true },
  ]);
  const other = asker.approve({ ...call, input: { command: "rm -rf src" } }, "It deletes files.", signal);
  await answer("n not that one", "Allow it?", 4);
  expect(await other).toEqual({ isAllowed: false, reason: "the user said no: not that one" });
});

test("declining answers only the open question", async () => {
  const { asker, io } = setUp();
  expect(asker.decline()).toBe(false);
  const asked = asker.approve(call, "It deletes files.", signal);
  await vi.waitFor(() => expect(io.err()).toContain("Allow it?"));
  expect(asker.decline()).toBe(true);
  expect(await asked).toEqual({ isAllowed: false, reason: "the user said no" });
  expect(asker.decline()).toBe(false);
});

test("a question of the agent is answered by number, in words, or not at all", async () => {
  const { asker, answer } = setUp();
  const question = { text: "Which colour?", choices: ["red", "blue"] };
  const answers = [];
  for (const [index, line] of ["2", "green", "7", ""].entries()) {
    const asked = asker.ask(question, signal);
    await answer(line, "Your answer", index + 1);
    answers.push(await asked);
  }
  expect(answers).toEqual(["blue", "green", "7", undefined]);
});

test("questions are asked one after the other", async () => {
  const { asker, io, answer } = setUp();
  const [first, second] = [
    asker.approve(call, "One.", signal),
    asker.approve({ ...call, input: { command: "ls" } }, "Two.", signal),
  ];
  await answer("y", "Allow it?");
  await first;
  await answer("n", "Allow it?", 2);
  expect(await second).toEqual({ isAllowed: false, reason: "the user said no" });
  expect(io.err().indexOf("Two.")).toBeGreaterThan(io.err().indexOf("Allow it?"));
});

const runQuestion: RunQuestion = {
  id: "e1/block",
  text: 'This exact call to "bash" has failed 5 times.',
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

test("a question about the run is answered with stop, continue or a message", async () => {
  const { asker, io, answer } = setUp();
  const answers = [];
  for (const [index, line] of ["s", "Continue", "tell it is in src"].entries()) {
    const asked = asker.askAboutRun(runQuestion, signal);
    await answer(line, "(s)top, (c)ontinue, (t)ell the agent something:", index + 1);
    answers.push(await asked);
  }
  expect(answers).toEqual([{ type: "stop" }, { type: "continue" }, { type: "tell", text: "it is in src" }]);
  expect(io.err()).toContain("  5 turns, $0.021 so far.\n  (s)top");
});

test("a question that is asked again says why the answer could not be used", async () => {
  const { asker, io, answer } = setUp();
  const asked = asker.askAboutRun({ ...runQuestion, problem: "The message has about 90,000 tokens." }, signal);
  await answer("c", "(s)top");
  await asked;
  expect(io.err()).toContain("  The message has about 90,000 tokens.\n  5 turns");
});

test("the message may follow on a line of its own, and anything else is asked again", async () => {
  const { asker, answer } = setUp();
  const asked = asker.askAboutRun(runQuestion, signal);
  await answer("continue with the tests", "(s)top");
  await answer("t", "(s)top", 2);
  await answer("", "Your message");
  await answer("t", "(s)top", 3);
  await answer("it is in src", "Your message", 2);
  expect(await asked).toEqual({ type: "tell", text: "it is in src" });
});

test("a limit says how far the run would continue", async () => {
  const { asker, answer } = setUp();
  const ifContinued = { type: "limit", limit: "turns", stop: 50 } as const;
  const asked = asker.askAboutRun({ ...runQuestion, ifContinued }, signal);
  await answer("c", "(c)ontinue up to 50 turns");
  expect(await asked).toEqual({ type: "continue" });
});

test("Ctrl-C stops the run; a withdrawn question has no answer", async () => {
  const { asker, io } = setUp();
  const stopped = asker.askAboutRun(runQuestion, signal);
  await vi.waitFor(() => expect(io.err()).toContain("(s)top"));
  expect(asker.decline()).toBe(true);
  expect(await stopped).toEqual({ type: "stop" });
  const withdrawn = new AbortController();
  const unanswered = asker.askAboutRun(runQuestion, withdrawn.signal);
  await vi.waitFor(() => expect(io.err().split("(s)top")).toHaveLength(3));
  withdrawn.abort();
  expect(await unanswered).toBeUndefined();
});

test("a change of a file is shown as a diff before it happens", async () => {
  const { asker, io, answer } = setUp(dirname(await file("a.txt", "one\ntwo\n")));
  const edit: CallPart = { type: "call", id: "c1", tool: "edit", input: { path: "a.txt", old: "two", new: "2" } };
  const asked = asker.approve(edit, "It changes a file.", signal);
  await answer("y", "Allow it?");
  await asked;
  expect(io.err()).toContain(
    "  edit wants to run:\n    a.txt (the file exists)\n    @@ -1,2 +1,2 @@\n     one\n    -two\n    +2\n",
  );
});

test("every row of a wrapped line has its sign", async () => {
  const { asker, io, answer } = setUp(dirname(await file("a.txt", "one\n")));
  const edit: CallPart = {
    type: "call",
    id: "c1",
    tool: "edit",
    input: { path: "a.txt", old: "one", new: "word ".repeat(40).trim() },
  };
  const asked = asker.approve(edit, "It changes a file.", signal);
  await answer("y", "Allow it?");
  await asked;
  const added = io
    .err()
    .split("\n")
    .filter((line) => line.includes("word"));
  expect(added.length).toBeGreaterThan(2);
  for (const line of added) expect(line).toMatch(/^ {4}\+/);
});
