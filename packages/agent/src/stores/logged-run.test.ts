import { afterEach, beforeEach, expect, test } from "vitest";
import { makeTestFolder, sampleRun, type TestFolder, writeRunLog } from "../../test/sample-runs.ts";
import type { LogLine } from "../logs/log-line.ts";
import { readRunLog } from "../logs/read-run-log.ts";
import { toPrompt } from "../provider/prompt.ts";
import { type LoggedRun, parseLoggedRun } from "./logged-run.ts";

const sample = sampleRun("ses_a", "run_1", { turns: 2 });
const id = { sessionId: "ses_a", runId: "run_1" };

let folder: TestFolder;
beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(() => folder.remove());

async function linesAt(level: 1 | 2 | 3): Promise<readonly LogLine[]> {
  writeRunLog(folder.logDir, sample, level);
  return (await readRunLog({ dir: folder.logDir, ...id })).lines;
}

async function logged(level: 1 | 2 | 3): Promise<LoggedRun> {
  const run = parseLoggedRun(id, await linesAt(level));
  if (run === undefined) throw new Error("Expected a run.");
  return run;
}

/** The parts of messages that a log can know. */
const contentOf = ({ messages }: Pick<LoggedRun, "messages">) =>
  messages.map((message) => {
    if (message.role === "user") return ["user", message.text];
    return message.role === "tool"
      ? ["tool", message.callId, message.status, message.content]
      : ["assistant", message.parts];
  });

test("level 3 gives the run, its calls with input and output, its costs and its events", async () => {
  const run = await logged(3);
  expect(run.run).toEqual(sample.run);
  expect(contentOf(run)).toEqual(contentOf(sample));
  expect(run.costs.map(({ model, at, usage, costNanoUsd }) => ({ model, at, usage, costNanoUsd }))).toEqual(
    sample.commits
      .flatMap(({ costs = [] }) => costs)
      .map(({ model, at, usage, costNanoUsd }) => ({ model, at, usage, costNanoUsd })),
  );
  expect(run.events).toEqual(sample.events);
});

test("level 2 gives no calls, but a cost for each request", async () => {
  const run = await logged(2);
  expect(run.run).toEqual(sample.run);
  expect(contentOf(run)).toEqual([
    ["user", "Do run_1"],
    ["assistant", [{ type: "text", text: "Done." }]],
  ]);
  expect(run.costs.length).toBe(2);
});

test("level 1 gives the prompt, the result, and one cost for the whole run", async () => {
  const run = await logged(1);
  expect(run.run).toEqual(sample.run);
  expect(contentOf(run).length).toBe(2);
  expect(run.costs.map(({ costNanoUsd, usage }) => [costNanoUsd, usage.input])).toEqual([[8_000_000, 2_000]]);
});

test("a log that ends during a call gives an ended run, and a call with unknown outcome", async () => {
  const lines = (await linesAt(3)).slice(0, -3); // the last call has begun
  const run = parseLoggedRun(id, lines);
  expect(run?.run).toMatchObject({
    state: "error",
    reason: "broken_off",
    turns: 2,
    costNanoUsd: 8_000_000,
    usage: { input: 2_000 },
  });
  expect(run?.messages.at(-2)).toMatchObject({ role: "tool", callId: "run_1-call-2", status: "interrupted" });
  expect(run?.messages.at(-1)).toMatchObject({ role: "user", origin: "automatic", reason: "rebuilt" });
});

test("every call has one result, whatever lines are missing", async () => {
  const lines = await linesAt(3);
  for (let without = 0; without < lines.length; without += 1) {
    const messages =
      parseLoggedRun(
        id,
        lines.filter((_, index) => index !== without),
      )?.messages ?? [];
    const calls = messages.flatMap((message) =>
      message.role === "assistant" ? message.parts.flatMap((part) => (part.type === "call" ? [part.id] : [])) : [],
    );
    expect(messages.flatMap((message) => (message.role === "tool" ? [message.callId] : []))).toEqual(calls);
    expect(() => toPrompt({ system: "", messages })).not.toThrow();
  }
});

test("the text beside calls and the messages of the user are restored", async () => {
  const lines = (await linesAt(3)).flatMap((line): readonly LogLine[] => {
    if (!("callId" in line) || line.callId !== "run_1-call-1") return [line];
    const { seq, at, sessionId, runId, severity, level } = line;
    const head = { seq, at, sessionId, runId, severity, level };
    if (line.type === "ToolStart") return [{ ...head, type: "StreamEnd", isComplete: true, text: "I look." }, line];
    return line.type === "ToolEnd" ? [line, { ...head, type: "UserMessage", text: "Hurry." }] : [line];
  });
  const messages = parseLoggedRun(id, lines)?.messages ?? [];
  expect(messages.slice(1, 4)).toMatchObject([
    {
      role: "assistant",
      parts: [
        { type: "text", text: "I look." },
        { type: "call", id: "run_1-call-1" },
      ],
    },
    { role: "tool", callId: "run_1-call-1" },
    { role: "user", origin: "person", text: "Hurry." },
  ]);
});

test("an input that was shortened in the log stays unknown", async () => {
  const lines = (await linesAt(3)).map((line) =>
    line.type === "ToolStart" ? { ...line, input: "{… left out …" } : line,
  );
  const call = parseLoggedRun(id, lines)?.messages[1];
  expect(call?.role === "assistant" ? call.parts : []).toEqual([
    {
      type: "call",
      id: "run_1-call-1",
      tool: "read",
      input: undefined,
      problem: "The log does not hold the whole input.",
    },
  ]);
});

test("lines that were edited are skipped", async () => {
  const lines = await linesAt(3);
  const end = lines.at(-1) as LogLine;
  for (const wrong of [
    { result: null },
    { result: { state: "completed", reason: "constructor" } },
    { at: "now" },
    { runId: "run_2" },
    { result: { ...sample.run, usage: 3 } },
  ]) {
    const run = parseLoggedRun(id, [...lines.slice(0, -1), { ...end, ...wrong } as LogLine]);
    expect(run?.run).toMatchObject({ state: "error", reason: "broken_off" });
  }
  expect(parseLoggedRun(id, [])).toBeUndefined();
});
