import { getEventListeners } from "node:events";
import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { CallPart, GateRule, RunQuestion } from "@sheepdog/agent";
import { describe, expect, test, vi } from "vitest";
import { type FakeIo, fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import type { PermissionRules } from "../../compose/permission-rules.ts";
import { createOpenQuestions, withRemoteAnswers } from "../../control/index.ts";
import { createProgress } from "./progress.ts";
import { createTerminalAsker, type TerminalAsker } from "./terminal-asker.ts";

const file = scratchFolder();
const call: CallPart = { type: "call", id: "c1", tool: "bash", input: { command: "rm -rf build\u001b[2J" } };
const { signal } = new AbortController();

interface Setup {
  readonly asker: TerminalAsker;
  readonly io: FakeIo;
  /** The rules that were written. */
  readonly added: readonly GateRule[];
  /** Types a line once the question was asked `times` times. */
  answer(line: string, question: string, times?: number): Promise<void>;
}

function setUp(cwd = "/nowhere", columns = 80, problem?: string): Setup {
  const added: GateRule[] = [];
  let type = (_: string): void => {};
  const typed = new ReadableStream<Uint8Array>({
    start(controller) {
      type = (line) => controller.enqueue(Buffer.from(`${line}\n`));
    },
  });
  const io: FakeIo = {
    ...fakeIo({ isTTY: true, columns, cwd, env: { NO_COLOR: "1" } }),
    stdin: Object.assign(typed, { isTTY: true }),
  };
  const rules: PermissionRules = {
    list: [],
    file: "/home/config.toml",
    allowAlways: async (rule) => (problem === undefined ? void added.push(rule) : problem),
  };
  const progress = createProgress(io, { verbose: false, isShown: true });
  const answer = async (line: string, question: string, times = 1) => {
    await vi.waitFor(() => expect(io.err().split(question).length - 1).toBe(times));
    type(line);
  };
  return { asker: createTerminalAsker(io, progress, { caughtUp: async () => {}, rules }), io, answer, added };
}

test("the whole command is shown with nothing hidden, and an answer applies once or always", async () => {
  const { asker, io, answer } = setUp();
  const asked = asker.approve(call, "It deletes files.", signal);
  await answer("y", "Allow?");
  expect(await asked).toEqual({ isAllowed: true });
  expect(io.err()).toContain("  May the agent run this? bash\n    rm -rf build\\u{1b}[2J\n  It deletes files.\n");
  const again = asker.approve(call, "It deletes files.", signal);
  await answer("a", "Allow?", 2);
  expect([await again, await asker.approve(call, "It deletes files.", signal)]).toEqual([
    { isAllowed: true },
    { isAllowed: true },
  ]);
  const other = asker.approve({ ...call, input: { command: "rm -rf src" } }, "It deletes files.", signal);
  await answer("n not that one", "Allow?", 3);
  expect(await other).toEqual({ isAllowed: false, reason: "the user said no: not that one", words: "not that one" });
});

test("the question says what may be typed, and a wrong answer says what was wrong", async () => {
  const { asker, io, answer } = setUp();
  const asked = asker.approve(call, "It deletes files.", signal);
  await answer("maybe", "then Enter:");
  await answer("", "no answer");
  await answer("it is the wrong folder", "Nothing was typed");
  expect(await asked).toEqual({
    isAllowed: false,
    reason: "the user said no: it is the wrong folder",
    words: "it is the wrong folder",
  });
  expect(io.err().split("\n").slice(3)).toEqual([
    "  Allow? y = yes, a = always exactly this, n = no, or type why not; then Enter:",
    '  "maybe" is no answer. Type y, a, n, or a few words why not:',
    "  Nothing was typed. Type y, a, n, or a few words why not:",
    "",
  ]);
});

describe("a rule that would allow such calls", () => {
  const push: CallPart = { type: "call", id: "c1", tool: "bash", input: { command: "git push origin main" } };
  const rule: GateRule = { tool: "bash", command: "git push *", decision: "allow" };

  test("is shown, and written after a whole word", async () => {
    const { asker, io, answer, added } = setUp();
    const asked = asker.approve(push, "It reaches beyond the workspace.", signal, rule);
    await answer("r", "then Enter:");
    await answer("write", "Type write");
    expect(await asked).toEqual({ isAllowed: true });
    expect(added).toEqual([rule]);
    expect(io.err().split("\n").slice(3)).toEqual([
      "  Allow? y = yes, a = always exactly this, r = a rule, n = no, or type why not;",
      "  then Enter:",
      '  The rule: allow bash "git push *". It goes to /home/config.toml and allows',
      "  such calls in every later run.",
      "  Type write to add the rule and allow the call; anything else goes back:",
      "  The rule is written and applies from now on.",
      "",
    ]);
  });

  test.each(["y", "w", "", "write it", "yes"])(
    "is not written after %j, and the call is asked about again",
    async (line) => {
      const { asker, answer, added } = setUp();
      const asked = asker.approve(push, "It reaches beyond the workspace.", signal, rule);
      await answer("r", "then Enter:");
      await answer(line, "Type write");
      await answer("n", "then Enter:", 2);
      expect([await asked, added]).toEqual([{ isAllowed: false, reason: "the user said no" }, []]);
    },
  );

  test("that cannot be written is said, and the call is asked about again", async () => {
    const { asker, io, answer } = setUp("/nowhere", 80, "the disk is full");
    const asked = asker.approve(push, "It reaches beyond the workspace.", signal, rule);
    await answer("r", "then Enter:");
    await answer("write", "Type write");
    await answer("n", "then Enter:", 2);
    expect(await asked).toMatchObject({ isAllowed: false });
    expect(io.err()).toContain("Not written: the disk is full");
  });

  test("is not offered where there is none", async () => {
    const { asker, io, answer } = setUp();
    const asked = asker.approve(call, "It deletes files.", signal);
    await answer("r", "then Enter:");
    await answer("n", '"r" is no answer');
    expect(await asked).toMatchObject({ isAllowed: false });
    expect(io.err()).not.toContain("r = a rule");
  });
});

test("the rest of a pasted answer does not answer the question that follows", async () => {
  const { asker, io, answer } = setUp();
  const asked = asker.approve(call, "It deletes files.", signal);
  await answer("hold\ny", "then Enter:");
  await vi.waitFor(() => expect(io.err()).toContain('"hold" is no answer'));
  await answer("n", "Type y, a, n");
  expect(await asked).toMatchObject({ isAllowed: false });
});

test("a file that changes while the question is open is shown again before it is replaced", async () => {
  const path = await file("a.txt");
  await writeFile(path, "alpha\n");
  const { asker, io, answer } = setUp(dirname(path));
  const write: CallPart = { type: "call", id: "c1", tool: "write", input: { path: "a.txt", content: "beta\n" } };
  const asked = asker.approve(write, "It writes.", signal);
  await vi.waitFor(() => expect(io.err()).toContain("-alpha"));
  await writeFile(path, "precious work\n");
  await answer("y", "then Enter:");
  await vi.waitFor(() => expect(io.err()).toContain("-precious work"));
  await answer("n", "then Enter:", 2);
  expect(await asked).toMatchObject({ isAllowed: false });
});

test("in a narrow window, no word is broken, and a long command does not look like several lines", async () => {
  const { asker, io, answer } = setUp("/nowhere", 40);
  const command = "echo a long command that does not fit into forty columns\nls";
  const asked = asker.approve({ ...call, input: { command } }, "It is not known what this does.", signal);
  await answer("y", "Enter:");
  await asked;
  const choices = ["red as the rose in the garden of the neighbour"];
  const question = asker.ask({ callId: "call_1", text: "Which?", choices }, signal);
  await answer("1", "none:");
  await question;
  expect(io.err().split("\n")).toEqual([
    "  May the agent run this? bash",
    "    echo a long command that does not",
    "      fit into forty columns",
    "    ls",
    "  It is not known what this does.",
    "  Allow? y = yes, a = always, n = no, or",
    "  type why not; then Enter:",
    "  Which?",
    "    1  red as the rose in the garden of",
    "       the neighbour",
    "  Your answer (a number, or your own",
    "  words), Enter for none:",
    "",
  ]);
});

test("Ctrl-C leaves an approval to the run, and nothing more is asked once the run is cancelled", async () => {
  const { asker, io } = setUp();
  const cancelling = new AbortController();
  expect(asker.interrupt()).toBe(false);
  const asked = asker.approve(call, "It deletes files.", cancelling.signal);
  const next = asker.approve({ ...call, input: { command: "ls" } }, "Two.", cancelling.signal);
  await vi.waitFor(() => expect(io.err()).toContain("Allow?"));
  expect(asker.interrupt()).toBe(false);
  cancelling.abort();
  expect([await asked, await next]).toMatchObject([{ isAllowed: false }, { isAllowed: false }]);
  expect(io.err()).not.toContain("Two.");
  expect(io.err()).toMatch(/Enter:\n\n$/); // the terminal echoes ^C on the line between
});

test("a question of the agent is answered by number, in words, or not at all", async () => {
  const { asker, answer } = setUp();
  const question = { callId: "call_1", text: "Which colour?", choices: ["red", "blue"] };
  const answers = [];
  for (const [index, line] of ["2", "green", "7", ""].entries()) {
    const asked = asker.ask(question, signal);
    await answer(line, "Your answer", index + 1);
    answers.push(await asked);
  }
  expect(answers).toEqual(["blue", "green", "7", undefined]);
});

test("an answered question leaves no listener on the signal of the run", async () => {
  const { asker, answer } = setUp();
  const run = new AbortController();
  const approved = asker.approve(call, "It deletes files.", run.signal);
  await answer("maybe", "Allow?");
  await answer("y", "no answer");
  await approved;
  const asked = asker.ask({ callId: "call_1", text: "Which?", choices: [] }, run.signal);
  await answer("red", "Your answer");
  await asked;
  expect(getEventListeners(run.signal, "abort")).toEqual([]);
});

test("questions are asked one after the other", async () => {
  const { asker, io, answer } = setUp();
  const [first, second] = [
    asker.approve(call, "One.", signal),
    asker.approve({ ...call, input: { command: "ls" } }, "Two.", signal),
  ];
  await answer("y", "Allow?");
  await first;
  await answer("n", "Allow?", 2);
  expect(await second).toEqual({ isAllowed: false, reason: "the user said no" });
  expect(io.err().indexOf("Two.")).toBeGreaterThan(io.err().indexOf("Allow?"));
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
    await answer(line, "s = stop, c = continue, t = tell the agent something; then Enter:", index + 1);
    answers.push(await asked);
  }
  expect(answers).toEqual([{ type: "stop" }, { type: "continue" }, { type: "tell", text: "it is in src" }]);
  expect(io.err()).toContain("  5 turns, $0.021 so far.\n  s = stop");
});

test("a question that is asked again says why the answer could not be used", async () => {
  const { asker, io, answer } = setUp();
  const asked = asker.askAboutRun({ ...runQuestion, problem: "The message has about 90,000 tokens." }, signal);
  await answer("c", "s = stop");
  await asked;
  expect(io.err()).toContain("  The message has about 90,000 tokens.\n  5 turns");
});

test("the message may follow on a line of its own, and anything else is asked again", async () => {
  const { asker, answer } = setUp();
  const asked = asker.askAboutRun(runQuestion, signal);
  await answer("continue with the tests", "then Enter:");
  await answer("t", "is no answer. Type s, c, or t and your message:");
  await answer("", "Your message");
  await answer("t", "then Enter:", 2);
  await answer("it is in src", "Your message", 2);
  expect(await asked).toEqual({ type: "tell", text: "it is in src" });
});

test("a limit says how far the run would continue", async () => {
  const { asker, answer } = setUp();
  const ifContinued = { type: "limit", limit: "turns", stop: 50 } as const;
  const asked = asker.askAboutRun({ ...runQuestion, ifContinued }, signal);
  await answer("c", "c = continue up to 50 turns");
  expect(await asked).toEqual({ type: "continue" });
});

test("Ctrl-C stops the run; a withdrawn question has no answer", async () => {
  const { asker, io } = setUp();
  const stopped = asker.askAboutRun(runQuestion, signal);
  await vi.waitFor(() => expect(io.err()).toContain("s = stop"));
  expect(asker.interrupt()).toBe(true);
  expect(await stopped).toEqual({ type: "stop" });
  const withdrawn = new AbortController();
  const unanswered = asker.askAboutRun(runQuestion, withdrawn.signal);
  await vi.waitFor(() => expect(io.err().split("s = stop")).toHaveLength(3));
  withdrawn.abort();
  expect(await unanswered).toBeUndefined();
});

test("a change of a file is shown as a diff before it happens", async () => {
  const { asker, io, answer } = setUp(dirname(await file("a.txt", "one\ntwo\n")));
  const edit: CallPart = { type: "call", id: "c1", tool: "edit", input: { path: "a.txt", old: "two", new: "2" } };
  const asked = asker.approve(edit, "It changes a file.", signal);
  await answer("y", "Allow?");
  await asked;
  expect(io.err()).toContain(
    "  May the agent run this? edit\n    a.txt (the file exists)\n    @@ -1,2 +1,2 @@\n     one\n    -two\n    +2\n",
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
  await answer("y", "Allow?");
  await asked;
  const added = io
    .err()
    .split("\n")
    .filter((line) => line.includes("word"));
  expect(added.length).toBeGreaterThan(2);
  for (const line of added) expect(line).toMatch(/^ {4}\+/);
});

test.each([
  ["a large file", "x\n".repeat(600_000), "the current content is not shown: the file is large"],
  ["a binary file", "a\0b", "the current content is not shown: it is a binary file"],
  ["a file that changes as a whole", "old line\n".repeat(5_000), "not shown: 5,000 removed lines"],
  ["a file with many old lines", "old line\n".repeat(450), "not shown: 450 removed lines"],
])("the new content of %s is seen, and what is not shown is said", async (_, current, note) => {
  const { asker, io, answer } = setUp(dirname(await file("a.txt", current)));
  const write = (content: string): CallPart => ({
    type: "call",
    id: "c",
    tool: "write",
    input: { path: "a.txt", content },
  });
  const asked = asker.approve(write("new first\nnew last\n"), "It changes a file.", signal);
  await answer("y", "Allow?");
  await asked;
  const shown = io.err().split("\n");
  for (const line of [note, "+new first", "+new last"]) expect(shown).toContain(`    ${line}`);
  const long = asker.approve(write("new line\n".repeat(1_000)), "It changes a file.", signal);
  await answer("y", "Allow?", 2);
  await long;
  expect(io.err()).toMatch(/\n {4}\+new line\n {4}not shown: 60\d more lines\n {2}It changes/);
});

test("a question that another process answers disappears, and the next one is asked", async () => {
  const { asker, io, answer } = setUp();
  const questions = createOpenQuestions();
  const log: string[] = [];
  const { approve } = withRemoteAnswers({ questions, terminal: asker, say: (sentence) => log.push(sentence) });
  const asked = approve(call, "It deletes files.", signal);
  const next = approve({ ...call, id: "c2", input: { command: "rm -rf dist" } }, "It deletes files.", signal);
  await vi.waitFor(() => expect(io.err()).toContain("Allow?"));
  questions.answer({ type: "approval", callId: "c1", isAllowed: true });
  expect(await asked).toEqual({ isAllowed: true, by: "remote" });
  await answer("n", "Allow?", 2);
  expect(await next).toEqual({ isAllowed: false, reason: "the user said no", by: "terminal" });
  expect(log).toEqual(["Answered from another process: allowed."]);
});
