import { expect, test } from "vitest";
import { expectedOpenClaw, expectedPi } from "../../../test/fixtures/expected/pi.ts";
import { readFixtures } from "../../../test/fixtures/home.ts";
import { ownRuns } from "../../../test/own-runs.ts";
import { readValues } from "../../../test/read-text.ts";
import { totalsOf } from "../../../test/totals.ts";
import { piReader } from "./pi-reader.ts";

const folder = ".pi/agent/sessions/--home-ada-shop--";
const session = `${folder}/2026-11-02T09-00-00-000Z_0c9e4a52-6c1f-4f0e-9d5e-0a1b2c3d4e5f.jsonl`;

const header = { type: "session", version: 3, id: "s", timestamp: "2026-11-02T09:00:00.000Z", cwd: "/home/ada" };

function reply(id: string, parentId: string, more: object = {}) {
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total: 0.5 } };
  const message = {
    role: "assistant",
    content: [{ type: "text", text: id }],
    model: "m",
    usage,
    timestamp: id,
    ...more,
  };
  return { type: "message", id, parentId, message };
}

test("all sessions have the totals that were computed by hand, without the copies of a fork", async () => {
  const { runs, skipped } = await readFixtures(".pi");
  const own = ownRuns(runs);
  expect(skipped).toEqual([]);
  expect(totalsOf(own)).toEqual(expectedPi);
  expect(own.map(({ counting }) => counting)).toEqual([undefined, { rewoundMessages: 1 }, { copiedRequests: 2 }]);
});

test("a session has its project, its prompts, its compaction, and how its calls ended", async () => {
  const { runs } = await readFixtures(session);
  const [run] = runs;
  expect({ ...run, steps: [] }).toEqual({
    id: "0c9e4a52-6c1f-4f0e-9d5e-0a1b2c3d4e5f",
    source: "pi",
    model: "claude-sonnet-4-5",
    provider: "anthropic",
    task: "Fix the rounding of the basket total.",
    outcome: "aborted",
    project: "/home/ada/shop",
    counting: { rewoundMessages: 1 },
    steps: [],
  });
  expect(run?.steps.map(({ user, compacted, model, position }) => [user, compacted, model, position])).toEqual([
    [true, undefined, "claude-sonnet-4-5", { line: 5 }],
    [undefined, undefined, "claude-sonnet-4-5", { line: 8 }],
    [undefined, undefined, "claude-sonnet-4-5", { line: 11 }],
    [true, true, "claude-opus-4-5", { line: 15 }],
    [undefined, undefined, "claude-sonnet-4-5", { line: 20 }],
  ]);
  expect(run?.steps.flatMap((step) => step.calls.map(({ name, isError, status }) => [name, isError, status]))).toEqual([
    ["read", false, undefined],
    ["bash", true, undefined],
    ["edit", false, undefined],
    ["bash", true, "timeout"],
    ["grpe", true, "unknown-tool"],
    ["bash", null, "interrupted"],
  ]);
  expect(run?.steps[0]).toMatchObject({
    text: "I look at the code.",
    at: 1_793_610_002_000,
    usage: { inputTokens: 1510, cacheReadTokens: 1000, cacheWriteTokens: 500, outputTokens: 80, costUsd: 0.01 },
    calls: [{ args: { path: "src/basket.ts" }, result: "export const total = 1;", position: { line: 5 } }, {}],
  });
});

test("in OpenClaw, a heartbeat is no person, and a copy of a sent text is no reply", async () => {
  const { runs, skipped } = await readFixtures(".openclaw");
  expect(skipped).toEqual([]);
  expect(totalsOf(runs)).toEqual(expectedOpenClaw);
  expect(runs).toMatchObject([
    {
      source: "openclaw",
      task: "Where is my parcel?",
      counting: { syntheticReplies: 1 },
      steps: [{ text: "HEARTBEAT_OK" }, { user: true }, { text: "It is on its way." }],
    },
  ]);
  expect(runs[0]?.steps[0]?.user).toBeUndefined();
});

test("a damaged line does not put the replies before it on another branch", async () => {
  const read = await readValues(header, reply("a", "x"), reply("b", "lost"), reply("c", "b"));
  expect(read.runs[0]?.counting).toBeUndefined();
  expect(read.runs[0]?.steps).toHaveLength(3);
});

test("entries that follow each other in a circle are read", async () => {
  const read = await readValues(header, reply("a", "b"), reply("b", "a"));
  expect(read.runs[0]?.steps).toHaveLength(2);
});

test("the output of --mode json is read, where only the end of a message counts", async () => {
  const { message } = reply("a", "x");
  const read = await readValues(
    header,
    { type: "agent_start" },
    { type: "message_end", message: { role: "user", content: "Go." } },
    { type: "message_start", message },
    { type: "message_update", message },
    { type: "message_end", message },
    { type: "turn_end", message, toolResults: [] },
  );
  expect(read).toMatchObject({
    runs: [{ task: "Go.", steps: [{ user: true, usage: { costUsd: 0.5 } }] }],
    skipped: [],
  });
});

test("a call that OpenClaw removed from its reply is known by its result", async () => {
  const message = { role: "toolResult", toolCallId: "c", toolName: "", isError: true, content: "Tool  not found" };
  const { runs } = await readValues(header, reply("a", "x"), { type: "message", id: "b", parentId: "a", message });
  expect(runs[0]?.steps[0]?.calls).toMatchObject([{ name: "unnamed tool", args: null, status: "unknown-tool" }]);
});

test("a tool of OpenClaw that reports its failure as a result has failed", async () => {
  const result = (toolCallId: string, details: object) => ({
    type: "message",
    id: `result of ${toolCallId}`,
    message: { role: "toolResult", toolCallId, toolName: "read", isError: false, content: "…", details },
  });
  const { runs } = await readValues(header, result("a", { status: "error" }), result("b", { status: "ok" }));
  const calls = runs.flatMap(({ steps }) => steps).flatMap((step) => step.calls);
  expect(calls.map(({ isError }) => isError)).toEqual([true, false]);
});

test("two calls with the same id have their own results", async () => {
  const content = [{ type: "toolCall", id: "exec:0", name: "exec", arguments: {} }];
  const result = (text: string) => ({
    type: "message",
    message: { role: "toolResult", toolCallId: "exec:0", toolName: "exec", isError: false, content: text },
  });
  const { runs } = await readValues(
    header,
    reply("a", "x", { content }),
    result("1"),
    reply("b", "a", { content }),
    result("2"),
  );
  expect(runs[0]?.steps.map(({ calls }) => calls.map((call) => call.result))).toEqual([["1"], ["2"]]);
});

test("unknown lines, results of unknown calls and messages without a content are reported", async () => {
  const result = { type: "message", message: { role: "toolResult", toolCallId: "lost", content: [] } };
  const read = await readValues(header, result, { type: "message" }, { type: "hologram" }, reply("a", "x"));
  expect(read.runs[0]?.steps).toHaveLength(1);
  expect(read.skipped).toEqual([
    { file: "renamed.txt", line: 2, why: "this is the result of a call that is not in the recording" },
    { file: "renamed.txt", line: 3, why: "message is missing; it must be an object" },
    { file: "renamed.txt", line: 4, lines: 1, why: expect.stringContaining("hologram") },
  ]);
});

test("is recognized by its header, without a header by its messages, and nothing else is", () => {
  expect(piReader.recognizes([{ type: "session", id: "s", timestamp: "2025", cwd: "/" }])).toBe(true);
  expect(piReader.recognizes([reply("a", "x")])).toBe(true);
  expect(piReader.recognizes([{ type: "user", message: { role: "user", content: "Hi" }, uuid: "u" }])).toBe(false);
  expect(piReader.recognizes([{ type: "session_meta", payload: {} }])).toBe(false);
  expect(piReader.recognizes([{ type: "session_start", id: "s", version: 2, cwd: "/" }, reply("a", "x")])).toBe(false);
});
