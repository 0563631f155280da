import { expect, test } from "vitest";
import { fewestSteps } from "../../../test/fewest-steps.ts";
import { expectedQwenCode } from "../../../test/fixtures/expected/gemini-cli.ts";
import { readFixtures } from "../../../test/fixtures/home.ts";
import { readValues } from "../../../test/read-text.ts";
import { totalsOf } from "../../../test/totals.ts";
import { qwenReader } from "./qwen-reader.ts";

test("the totals of a chat are those computed by hand", async () => {
  const { runs, skipped } = await readFixtures(".qwen");
  expect(totalsOf(runs)).toEqual(expectedQwenCode);
  expect(skipped).toEqual([]);
});

test("a chat has calls with results, and a notification is no person's message", async () => {
  const { steps = [], ...run } = (await readFixtures(".qwen")).runs[0] ?? {};
  expect(run).toEqual({
    id: "33333333-2222-4333-8444-555555555555",
    source: "qwen-code",
    model: "qwen3-coder-plus",
    task: "Fix the total.",
    project: "/home/ada/shop",
  });
  expect(steps.map(({ user, compacted, text }) => [user, compacted, text])).toEqual([
    [true, undefined, "I run the tests."],
    [undefined, undefined, "Fixed."],
    [undefined, true, "Noted."],
  ]);
  expect(steps[0]?.calls.map(({ name, result, isError, status }) => [name, result, isError, status])).toEqual([
    ["run_shell_command", "Output: 1 failed\nExit Code: 1", true, undefined],
    ["task", 'Tool "task" not found in registry.', true, "unknown-tool"],
  ]);
});

const record = (uuid: string, type: string, more: object) => ({
  uuid,
  parentUuid: null,
  sessionId: "s",
  timestamp: "2026-11-02T12:00:00Z",
  type,
  cwd: "/home/ada",
  ...more,
});
const says = (text: string) => ({ message: { role: "model", parts: [{ text }] } });

test("a record is recognized by its parts, and those of Claude Code are not", () => {
  expect(qwenReader.recognizes([record("u", "assistant", says("Hi."))])).toBe(true);
  for (const other of [
    record("u", "user", { message: { role: "user", content: "Hi" }, isSidechain: false }),
    record("u", "system", { subtype: "compact_boundary", compactMetadata: {} }),
    { sessionId: "s", projectHash: "p" },
    { type: "session_meta", payload: {} },
    {},
  ])
    expect(qwenReader.recognizes([other])).toBe(false);
});

test("a subagent has its session as parent, and a spawned session the one that spawned it", async () => {
  const agent = { isSidechain: true, agentId: "explore-1" };
  const user = { message: { role: "user", parts: [{ text: "Look." }] } };
  const subagent = await readValues(
    record("1", "user", { ...user, ...agent }),
    record("2", "assistant", { ...says("Ok."), ...agent }),
  );
  expect(subagent.runs).toMatchObject([{ id: "explore-1", parent: "s", task: "Look.", steps: [{ text: "Ok." }] }]);
  expect(subagent.runs[0]?.steps[0]?.user).toBeUndefined();
  const parent = { subtype: "parent_session", systemPayload: { parentSessionId: "p" } };
  const spawned = await readValues(record("1", "system", parent), record("2", "assistant", says("Ok.")));
  expect(spawned.runs).toMatchObject([{ id: "s", parent: "p" }]);
});

test("flipped bits cost only their lines", async () => {
  const chat = ".qwen/projects/-home-ada-shop/chats/33333333-2222-4333-8444-555555555555.jsonl";
  expect(await fewestSteps(chat)).toBeGreaterThan(0);
});

test("odd fields and foreign lines are reported and cost nothing else", async () => {
  const { runs, skipped } = await readValues(
    record("1", "assistant", { message: { role: "model", parts: [7, { functionCall: 7 }, { text: "Ok." }] } }),
    { type: "response_item", payload: {} },
    record("2", "tool_result", { message: 7, toolCallResult: 7 }),
  );
  expect(runs).toMatchObject([{ steps: [{ text: "Ok.", calls: [] }], counting: { withoutUsage: 1 } }]);
  expect(skipped.map(({ line, lines }) => [line, lines])).toEqual([[2, 1]]);
});
