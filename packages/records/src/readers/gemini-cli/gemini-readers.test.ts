import { expect, test } from "vitest";
import { fewestSteps } from "../../../test/fewest-steps.ts";
import { expectedGeminiChats, expectedGeminiCheckpoint } from "../../../test/fixtures/expected/gemini-cli.ts";
import { readFixtures } from "../../../test/fixtures/home.ts";
import { readValues } from "../../../test/read-text.ts";
import { totalsOf } from "../../../test/totals.ts";
import { geminiChatReader, geminiDocumentReader } from "./gemini-chat-reader.ts";
import { geminiCheckpointReader } from "./gemini-checkpoint-reader.ts";
import { geminiUsage } from "./gemini-tokens.ts";

const main = ".gemini/tmp/shop/chats/session-2026-11-02T12-00-11111111.jsonl";
const subagent = ".gemini/tmp/shop/chats/11111111-2222-4333-8444-555555555555/sub-1.jsonl";
const hash = `${"c0ffee".repeat(10)}0000`;
const legacy = `.gemini/tmp/${hash}/chats/session-2025-10-18T09-00-22222222.json`;
const checkpoint = ".gemini/tmp/shop/checkpoints/2026-11-02T12-40-00_000Z-cart.ts-write_file.json";

test("the totals of all recordings are those computed by hand", async () => {
  const { runs, skipped } = await readFixtures(main, subagent, legacy);
  expect(totalsOf(runs)).toEqual(expectedGeminiChats);
  expect(totalsOf((await readFixtures(checkpoint)).runs)).toEqual(expectedGeminiCheckpoint);
  expect(skipped).toEqual([]);
});

test("a chat has its task, its model, and what was left out of the sums", async () => {
  const { steps: _, ...run } = (await readFixtures(main)).runs[0] ?? {};
  expect(run).toEqual({
    id: "11111111-2222-4333-8444-555555555555",
    source: "gemini-cli",
    model: "gemini-3-pro-preview",
    task: "Fix the total of @src/cart.ts",
    project: "/home/ada/shop",
    counting: { rewoundMessages: 1, syntheticReplies: 1 },
  });
});

test("a repeated message replaces the earlier one, and one that was taken back is still paid", async () => {
  const { steps = [] } = (await readFixtures(main)).runs[0] ?? {};
  expect(
    steps.map(({ user = false, compacted = false, usage, calls, position }) => [
      user,
      compacted,
      usage?.inputTokens,
      usage?.outputTokens,
      calls.length,
      position?.line,
    ]),
  ).toEqual([
    [true, false, 8_000, 200, 2, 7],
    [false, false, 9_200, 100, 1, 8],
    [false, false, 9_500, 30, 0, 10],
    [true, false, 10_000, 30, 2, 12],
    [true, true, 3_000, 30, 1, 16],
  ]);
});

test("calls have their results, and say why they have none", async () => {
  const { steps = [] } = (await readFixtures(main)).runs[0] ?? {};
  const calls = steps.flatMap((step) => step.calls);
  expect(calls.map(({ at: _, args: __, position: ___, ...call }) => call)).toEqual([
    { name: "run_shell_command", result: "Output: 1 test failed\nExit Code: 1\n", isError: true },
    { name: "list_directory", result: "cart.ts", isError: false },
    { name: "codebase_investigator", result: "In src/cart.ts.", isError: false, child: "sub-1" },
    {
      name: "write_file",
      result: "[Operation Cancelled] Reason: User did not allow tool call",
      isError: true,
      status: "denied",
    },
    {
      name: "delete_all",
      result: 'Tool "delete_all" not found. Did you mean one of: "glob"?',
      isError: true,
      status: "unknown-tool",
    },
    { name: "run_shell_command", result: null, isError: null, status: "interrupted" },
  ]);
});

test("a subagent has its parent's id from its folder, and no person wrote its prompt", async () => {
  const [run] = (await readFixtures(subagent)).runs;
  expect(run).toMatchObject({ id: "sub-1", parent: "11111111-2222-4333-8444-555555555555", task: "Find the total." });
  expect(run?.steps.map(({ user }) => user)).toEqual([undefined, undefined]);
});

test("the document of an earlier version is read with entries as positions", async () => {
  const [run] = (await readFixtures(legacy)).runs;
  expect(run).toMatchObject({ id: "22222222-2222-4333-8444-555555555555", counting: { withoutUsage: 1 } });
  expect(run?.steps.map(({ position }) => position)).toEqual([{ entry: "message lg1" }, { entry: "message lg2" }]);
});

test("a checkpoint is the history before a call, and the call", async () => {
  const [run] = (await readFixtures(checkpoint)).runs;
  expect(run).toEqual({
    id: "11111111-2222-4333-8444-555555555555:2026-11-02T12-40-00_000Z-cart.ts-write_file",
    source: "gemini-cli",
    task: "Fix the total.",
    counting: { syntheticReplies: 1, withoutUsage: 1 },
    steps: [
      {
        turn: 0,
        user: true,
        prompt: "Fix the total.",
        text: "",
        position: { entry: "clientHistory 4" },
        calls: [
          {
            name: "read_file",
            args: { file_path: "src/cart.ts" },
            result: "export const total = 0;",
            isError: null,
            position: { entry: "clientHistory 4" },
          },
          {
            name: "write_file",
            args: { file_path: "src/cart.ts", content: "export const total = 1;" },
            result: null,
            isError: null,
            status: "interrupted",
            position: { entry: "toolCall" },
          },
        ],
      },
    ],
  });
});

const meta = { sessionId: "s", projectHash: "p", startTime: "2026-11-02T12:00:00Z", kind: "main" };
const reply = (id: string, more: object = {}) => ({ id, timestamp: "2026-11-02T12:00:00Z", type: "gemini", ...more });

test("a recording is recognized by its content, and those of other agents are not", () => {
  expect(geminiChatReader.recognizes([meta])).toBe(true);
  expect(geminiChatReader.recognizes([reply("a")])).toBe(true);
  expect(geminiDocumentReader.recognizes({ ...meta, messages: [] })).toBe(true);
  expect(geminiCheckpointReader.recognizes({ toolCall: { name: "edit", args: {} }, history: [] })).toBe(true);
  for (const other of [
    {},
    { type: "session_meta", payload: { id: "t" } },
    { type: "user", uuid: "u", parentUuid: null, sessionId: "s", message: { role: "user", parts: [] } },
    { type: "thread.started", thread_id: "t" },
    { id: "r", steps: [] },
    { history: [], toolCall: "edit" },
  ]) {
    expect(geminiChatReader.recognizes([other])).toBe(false);
    expect(geminiDocumentReader.recognizes(other)).toBe(false);
    expect(geminiCheckpointReader.recognizes(other)).toBe(false);
  }
});

test("a rewind to an unknown message takes back everything, and a message with the same id comes again", async () => {
  const { runs } = await readValues(
    meta,
    reply("a", { content: "one" }),
    { $rewindTo: "x" },
    reply("a", { content: "two" }),
  );
  expect(runs[0]?.steps.map(({ text }) => text)).toEqual(["one", "two"]);
  expect(runs[0]?.counting).toEqual({ rewoundMessages: 1, withoutUsage: 2 });
});

test("masked results in a checkpoint do not replace the real ones, and are no compaction", async () => {
  const call = (output: string) => ({
    id: "c",
    name: "glob",
    args: {},
    status: "success",
    result: [{ functionResponse: { id: "c", name: "glob", response: { output } } }],
  });
  const { runs } = await readValues(
    meta,
    reply("a", { toolCalls: [call("a.ts")] }),
    { $set: { messages: [reply("a", { toolCalls: [call("[masked]")] })] } },
    reply("b"),
  );
  expect(runs[0]?.steps[0]?.calls[0]?.result).toBe("a.ts");
  expect(runs[0]?.steps[1]?.compacted).toBeUndefined();
});

test("a chat that begins with all its messages in one line is read", async () => {
  const { runs } = await readValues({ ...meta, messages: [reply("a", { content: [{ text: "one" }] })] }, reply("b"));
  expect(runs[0]?.steps.map(({ text }) => text)).toEqual(["one", ""]);
});

test("what gemini-cli writes in the user's name is no person's", async () => {
  const user = (id: string, content: unknown) => ({ id, timestamp: "2026-11-02T12:00:00Z", type: "user", content });
  const { runs } = await readValues(
    meta,
    user("u1", "<session_context>\nToday is Monday.\n</session_context>"),
    user("u2", [{ functionResponse: { name: "glob", response: {} } }]),
    user("u3", "Please continue."),
    reply("a"),
    user("u4", ["Fix ", { text: "it." }]),
    reply("b"),
  );
  expect(runs[0]?.task).toBe("Fix it.");
  expect(runs[0]?.steps.map(({ user: isUser }) => isUser)).toEqual([undefined, true]);
});

test("odd fields, unknown kinds and foreign lines are reported and cost nothing else", async () => {
  const { runs, skipped } = await readValues(
    meta,
    { type: "response_item", payload: {} },
    reply("a", { content: 7, toolCalls: [7, { id: 7, name: 7, args: 7, result: 7 }], tokens: { input: "many" } }),
    { id: "b", type: "hologram" },
    { $set: 7 },
    { $set: { directories: 7 } },
  );
  expect(runs[0]?.steps).toMatchObject([{ text: "", calls: [{ name: "unnamed tool", args: 7, result: null }] }]);
  expect(skipped).toEqual([
    {
      file: "renamed.txt",
      line: 2,
      why:
        "lines that the reader of gemini-cli recordings does not know were left out: " +
        "response_item, message hologram, line without a type",
      lines: 3,
    },
  ]);
});

test.each([main, subagent])("flipped bits in %s cost only their lines", async (file) => {
  expect(await fewestSteps(file)).toBeGreaterThan(0);
});

test("the total tells whether thoughts and tool prompts are counted within or beside", () => {
  const counts = { prompt: 100, candidates: 20, cached: 60, thoughts: 10, toolPrompt: 5, total: 0 };
  const usage = { inputTokens: 105, cacheReadTokens: 60, outputTokens: 30 };
  expect(geminiUsage({ ...counts, total: 135 })).toEqual(usage);
  expect(geminiUsage({ ...counts, total: undefined })).toEqual(usage);
  expect(geminiUsage({ ...counts, total: 120 })).toEqual({ ...usage, inputTokens: 100, outputTokens: 20 });
  expect(geminiUsage({ ...counts, prompt: 0, candidates: 0, thoughts: 0, toolPrompt: 0 })).toBeUndefined();
});
