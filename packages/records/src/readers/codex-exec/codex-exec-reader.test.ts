import { expect, test } from "vitest";
import { fewestSteps } from "../../../test/fewest-steps.ts";
import { expectedCodexExec } from "../../../test/fixtures/expected/codex.ts";
import { readFixtures } from "../../../test/fixtures/home.ts";
import { readValues } from "../../../test/read-text.ts";
import { totalsOf } from "../../../test/totals.ts";
import { codexExecReader } from "./codex-exec-reader.ts";

const stream = "shop/codex-exec.jsonl";

test("the totals of a stream are those computed by hand", async () => {
  const { runs, skipped } = await readFixtures(stream);
  expect(totalsOf(runs)).toEqual(expectedCodexExec);
  expect(skipped).toEqual([]);
});

test("a stream has the thread and how it ended, and the usage of a turn is with its last reply", async () => {
  const [run] = (await readFixtures(stream)).runs;
  const { steps = [], ...rest } = run ?? {};
  expect(rest).toEqual({ id: "0199aaaa-0000-7000-8000-000000000006", source: "codex", outcome: "completed" });
  expect(steps.map(({ user = false, text, usage }) => [user, text, usage?.inputTokens, usage?.outputTokens])).toEqual([
    [true, "", undefined, undefined],
    [false, "", undefined, undefined],
    [false, "", undefined, undefined],
    [false, "", undefined, undefined],
    [false, "", undefined, undefined],
    [false, "The total is fixed.", 20_000, 700],
    [true, "", undefined, undefined],
    [false, "Half up.", 6_000, 100],
  ]);
});

test("items that are calls have their arguments, results and errors", async () => {
  const [run] = (await readFixtures(stream)).runs;
  const calls = run?.steps.flatMap((step) => step.calls) ?? [];
  expect(calls.map(({ position: _, ...call }) => call)).toEqual([
    {
      name: "command_execution",
      args: { command: "/bin/bash -lc 'npm test'" },
      result: "1 failed\n",
      isError: true,
    },
    { name: "mcp__code__search", args: { query: "total" }, result: "no index", isError: true },
    { name: "todo_list", args: { items: [{ text: "fix", completed: false }] }, result: null, isError: null },
    {
      name: "file_change",
      args: { changes: [{ path: "/home/ada/shop/src/cart.ts", kind: "update" }] },
      result: "completed",
      isError: false,
    },
    { name: "todo_list", args: { items: [{ text: "fix", completed: true }] }, result: null, isError: null },
    {
      name: "command_execution",
      args: { command: "rm -rf /" },
      result: "rejected",
      isError: true,
      status: "denied",
    },
    {
      name: "web_search",
      args: { query: "rounding", action: { type: "other" } },
      result: null,
      isResultUnknown: true,
      isError: null,
    },
  ]);
});

const item = (event: string, fields: object) => ({ type: `item.${event}`, item: fields });

test("a stream is recognized by its content, and other formats are not", () => {
  expect(codexExecReader.recognizes([{ type: "thread.started", thread_id: "t" }])).toBe(true);
  expect(codexExecReader.recognizes([item("completed", { id: "item_1", type: "agent_message" })])).toBe(true);
  for (const line of [
    {},
    { type: "session_meta", payload: {} },
    { type: "thread.started" },
    { type: "item.completed", item: "text" },
    { type: "system", subtype: "init", session_id: "s" },
    { id: "r", steps: [] },
  ])
    expect(codexExecReader.recognizes([line])).toBe(false);
});

test("flipped bits cost only their lines", async () => {
  expect(await fewestSteps(stream)).toBeGreaterThan(0);
});

test("a command without an end was interrupted, and a failed turn is the outcome", async () => {
  const { runs } = await readValues(
    { type: "thread.started", thread_id: "t" },
    { type: "turn.started" },
    item("completed", { id: "1", type: "collab_tool_call", tool: "spawn_agent", receiver_thread_ids: ["c"] }),
    item("started", { id: "2", type: "command_execution", command: "sleep 9", status: "in_progress" }),
    { type: "turn.failed", error: { message: "The stream broke." } },
  );
  expect(runs).toMatchObject([
    {
      outcome: "failed",
      steps: [
        { user: true, calls: [{ name: "spawn_agent", child: "c" }] },
        { calls: [{ name: "command_execution", status: "interrupted" }] },
      ],
    },
  ]);
});

test("a file can hold the streams of two threads, and unknown lines are reported once", async () => {
  const text = item("completed", { id: "item_0", type: "agent_message", text: "Hi." });
  const { runs, skipped } = await readValues(
    { type: "thread.started", thread_id: "one" },
    text,
    { type: "new.kind" },
    item("completed", { id: "item_1", type: "hologram" }),
    { type: "item.completed", item: 7 },
    { type: "thread.started", thread_id: "two" },
    text,
    { type: "turn.completed", usage: { input_tokens: "many" } },
  );
  expect(runs.map(({ id, steps }) => [id, steps.length, steps[0]?.usage])).toEqual([
    ["one", 1, undefined],
    ["two", 1, undefined],
  ]);
  expect(skipped.map(({ line, why }) => [line, why])).toEqual([
    [5, "item is no object"],
    [3, "lines that the reader of codex exec --json recordings does not know were left out: new.kind, item hologram"],
  ]);
});

test("a turn without items adds its usage to the reply before it, or to the first one", async () => {
  const completed = (input_tokens: number, output_tokens: number) => [
    { type: "turn.started" },
    { type: "turn.completed", usage: { input_tokens, output_tokens } },
  ];
  const text = item("completed", { id: "item_0", type: "agent_message", text: "Hi." });
  const start = { type: "thread.started", thread_id: "t" };
  const [turn, ...rest] = completed(120, 12);
  const { runs } = await readValues(start, ...completed(100, 10), turn ?? {}, text, ...rest, ...completed(150, 20));
  expect(runs[0]?.steps.map(({ usage }) => [usage?.inputTokens, usage?.outputTokens])).toEqual([[150, 20]]);
});
