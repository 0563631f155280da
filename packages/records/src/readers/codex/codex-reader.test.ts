import { expect, test } from "vitest";
import { fewestSteps } from "../../../test/fewest-steps.ts";
import { expectedCodex } from "../../../test/fixtures/expected/codex.ts";
import { readFixtures } from "../../../test/fixtures/home.ts";
import { ownRuns } from "../../../test/own-runs.ts";
import { readText, readValues } from "../../../test/read-text.ts";
import { totalsOf } from "../../../test/totals.ts";
import type { RecordedRun, RecordedStep } from "../../trajectory/recorded-run.ts";
import { codexReader } from "./codex-reader.ts";

const id = (number: number) => `0199aaaa-0000-7000-8000-00000000000${number}`;
const day = ".codex/sessions/2026/11/02/rollout-2026-11-02T";
const mainFile = `${day}09-00-00-${id(1)}.jsonl`;
const subagentFile = `${day}10-00-00-${id(2)}.jsonl`;
const forkFile = `${day}11-00-00-${id(3)}.jsonl`;

async function onlyRun(...paths: readonly string[]): Promise<RecordedRun> {
  const run = ownRuns((await readFixtures(...paths)).runs).at(-1);
  if (run === undefined) throw new Error("There is no run.");
  return run;
}

const tokens = ({ usage }: RecordedStep) => [usage?.inputTokens, usage?.cacheReadTokens, usage?.outputTokens];

test("the totals of all recordings are those computed by hand", async () => {
  const { runs, skipped } = await readFixtures(".codex");
  expect(totalsOf(ownRuns(runs))).toEqual(expectedCodex);
  expect(skipped).toEqual([{ file: mainFile, line: 55, why: "this is not JSON (it breaks at position 59)" }]);
});

test("a thread has its task, its model, its folder, and what was left out of the sums", async () => {
  const { steps: _, ...run } = await onlyRun(mainFile);
  expect(run).toEqual({
    id: id(1),
    source: "codex",
    provider: "openai",
    model: "gpt-5.2-codex",
    task: "Fix the total of the cart.",
    project: "/home/ada/shop",
    counting: { repeatedUsage: 2, rewoundMessages: 1 },
  });
});

test("a reply ends with the results of its calls, and a compaction is paid with the reply before it", async () => {
  const { steps } = await onlyRun(mainFile);
  expect(steps.map(tokens)).toEqual([
    [10_000, 0, 200],
    [11_000, 9_000, 150],
    [12_000, 10_000, 100],
    [13_000, 12_000, 300],
    [29_000, 26_000, 450],
    [3_000, 0, 20],
  ]);
  expect(steps.map(({ user = false, compacted = false, model }) => [user, compacted, model])).toEqual([
    [true, false, "gpt-5.2-codex"],
    [false, false, "gpt-5.2-codex"],
    [false, false, "gpt-5.2-codex"],
    [false, false, "gpt-5.2-codex"],
    [true, false, "gpt-5.2-codex"],
    [true, true, "gpt-5.2-codex-mini"],
  ]);
});

test("calls of every kind have their arguments, results, errors and positions", async () => {
  const { steps } = await onlyRun(mainFile);
  const calls = steps.flatMap((step) => step.calls).map(({ at: _, endedAt: __, ...call }) => call);
  expect(calls).toEqual([
    {
      name: "exec_command",
      args: { cmd: "ls src" },
      result: "cart.ts\ncart.test.ts\n",
      isError: false,
      position: { line: 14 },
    },
    {
      name: "exec_command",
      args: { cmd: "npm test" },
      result: "Process exited with code 1\nOutput:\n1 test failed: total is 0\n",
      isError: true,
      position: { line: 15 },
    },
    {
      name: "apply_patch",
      args: { input: "*** Begin Patch\n*** Update File: src/cart.ts\n*** End Patch" },
      result: "apply_patch verification failed: Failed to find expected lines in src/cart.ts",
      isError: true,
      position: { line: 20 },
    },
    {
      name: "spawn_agent",
      args: { message: "Find where the total is computed.", agent_type: "explorer" },
      result: `{"agent_id": "${id(2)}", "nickname": "Curie"}`,
      isError: null,
      child: id(2),
      position: { line: 24 },
    },
    {
      name: "web_search",
      args: { type: "search", query: "currency rounding" },
      result: null,
      isResultUnknown: true,
      isError: false,
      position: { line: 27 },
    },
    {
      name: "local_shell",
      args: {
        type: "exec",
        command: ["cargo", "init"],
        timeout_ms: null,
        working_directory: null,
        env: null,
        user: null,
      },
      result: "aborted by user after 1.0s",
      isError: null,
      status: "interrupted",
      position: { line: 36 },
    },
    {
      name: "exec_command",
      args: { cmd: "npm test" },
      result: null,
      isError: null,
      status: "interrupted",
      position: { line: 53 },
    },
  ]);
});

test("a subagent begins after the records that it inherited, and its prompt is no person's", async () => {
  const { steps, ...run } = await onlyRun(subagentFile);
  expect(run).toMatchObject({ id: id(2), parent: id(1), task: "Find where the total is computed." });
  expect(run.outcome).toBe("completed");
  expect(steps.map((step) => [step.user, ...tokens(step)])).toEqual([
    [undefined, 4_000, 3_000, 60],
    [undefined, 5_000, 4_000, 40],
  ]);
  expect(steps[0]?.calls).toMatchObject([{ name: "mcp__code__search", result: "index is missing", isError: true }]);
});

test("a forked thread pays only for its own replies", async () => {
  expect((await onlyRun(forkFile)).steps.map(tokens)).toEqual([
    [10_000, 0, 200],
    [11_000, 9_000, 150],
    [11_500, 10_500, 80],
  ]);
  const fork = await onlyRun(mainFile, forkFile);
  expect(fork.steps.map(tokens)).toEqual([[11_500, 10_500, 80]]);
  expect(fork.counting).toEqual({ repeatedUsage: 1, copiedRequests: 2 });
});

test("a version that wrote tokens before the reply has the same sums, and exit codes in JSON", async () => {
  const { steps, model } = await onlyRun(`.codex/archived_sessions/rollout-2025-09-01T09-00-00-${id(4)}.jsonl`);
  expect(model).toBe("gpt-5-codex");
  expect(steps.map(tokens)).toEqual([
    [5_000, 0, 100],
    [6_000, 4_000, 60],
  ]);
  expect(steps[0]?.calls).toMatchObject([
    { result: "cart.ts\n", isError: false },
    { result: "cat: nope: No such file\n", isError: true },
  ]);
});

test("the first versions wrote bare items and no tokens", async () => {
  const { steps, ...run } = await onlyRun(`.codex/sessions/2025/07/01/rollout-2025-07-01T09-00-00-${id(5)}.jsonl`);
  expect(run).toEqual({ id: id(5), source: "codex", task: "Say the date.", counting: { withoutUsage: 2 } });
  expect(steps).toEqual([
    {
      turn: 0,
      copyKey: expect.stringMatching(/^codex:\w{32}$/),
      user: true,
      prompt: "Say the date.",
      text: "",
      calls: [
        {
          name: "shell",
          args: { command: ["date"] },
          result: "Tue Jul  1\n",
          isError: false,
          position: { line: 5 },
        },
      ],
      position: { line: 4 },
    },
    { turn: 1, text: "It is July 1.", calls: [], position: { line: 8 } },
  ]);
});

const meta = { type: "session_meta", payload: { id: "t", cwd: "/home/ada" } };
const item = (payload: object) => ({ type: "response_item", payload });
const call = (call_id: string) => item({ type: "function_call", name: "shell", arguments: "{", call_id });
const output = (call_id: string, text: string) => item({ type: "function_call_output", call_id, output: text });
const count = (info: unknown) => ({ type: "event_msg", payload: { type: "token_count", info } });
const sums = (input: number, last?: number) => ({
  total_token_usage: { input_tokens: input, output_tokens: 1, total_tokens: input + 1 },
  ...(last === undefined ? {} : { last_token_usage: { input_tokens: last, output_tokens: 1, total_tokens: last + 1 } }),
});

test("a recording is recognized by its content, and those of other agents are not", () => {
  expect(codexReader.recognizes([meta])).toBe(true);
  expect(codexReader.recognizes([call("c")])).toBe(true);
  expect(codexReader.recognizes([{ id: "t", timestamp: "2025-07-01", instructions: null }])).toBe(true);
  for (const line of [
    {},
    { type: "thread.started", thread_id: "t" },
    { sessionId: "s", projectHash: "p", kind: "main" },
    { type: "session", version: 3, id: "s", timestamp: "2026-11-02", cwd: "/home/ada" },
    { type: "user", uuid: "u", parentUuid: null, sessionId: "s", message: { role: "user", content: "Hi" } },
    { type: "message", id: "m", message: { role: "user", content: [{ type: "text", text: "Hi" }] } },
    { id: "r", steps: [] },
    { type: "event_msg", payload: "text" },
  ])
    expect(codexReader.recognizes([line])).toBe(false);
});

test.each([
  ["Exit code: 2\nWall time: 1 seconds\nOutput:\nno", { result: "Exit code: 2\nOutput:\nno", isError: true }],
  ["Exit code: 0\nWall time: 1 seconds\nOutput:\nyes", { result: "yes", isError: false }],
  ["Chunk ID: a\nWall time: 1.0 seconds\nProcess exited with code 0\nOutput:\n", { result: "", isError: false }],
  ["Command: ls\nProcess exited with code 0\nOutput:\nyes", { result: "Command: ls\nOutput:\nyes", isError: false }],
  ["Chunk ID: a\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n", { isError: null }],
  ["the output says Exit code: 2", { isError: null }],
  [
    "Command: /bin/bash -lc ls\nChunk ID: a\nWall time: 1.0 seconds\nProcess exited with code 3\nOutput:\n",
    { result: "Command: /bin/bash -lc ls\nProcess exited with code 3\nOutput:\n", isError: true },
  ],
  ["exec command rejected by user", { isError: true, status: "denied" }],
  ["Exit code: 124\nWall time: 1 seconds\nOutput:\ncommand timed out after 1000 milliseconds\n", { status: "timeout" }],
  ["unsupported call: magic", { isError: true, status: "unknown-tool" }],
  ["failed to parse function arguments: EOF", { isError: true, status: "invalid-arguments" }],
  ["write_stdin failed: stdin is closed", { isError: true }],
  ["Script completed\nWall time 0.1 seconds\nOutput:\nyes", { result: "yes", isError: false }],
  ["Script failed\nWall time 0.1 seconds\nOutput:\nno", { result: "Script failed\nOutput:\nno", isError: true }],
  ["aborted", { isError: null, status: "interrupted" }],
])("the output %j is understood", async (text, expected) => {
  const { runs } = await readValues(meta, call("c"), output("c", text));
  expect(runs[0]?.steps[0]?.calls[0]).toMatchObject({ args: "{", ...expected });
});

test("tokens without the usage of the request are differences, and a sum that shrinks begins anew", async () => {
  const { runs } = await readValues(
    meta,
    call("a"),
    count(sums(100)),
    call("b"),
    count(sums(250)),
    count(null),
    count(sums(250)),
    call("c"),
    count(sums(30)),
  );
  expect(runs[0]?.steps.map(({ usage }) => usage?.inputTokens)).toEqual([100, 150, 30]);
  expect(runs[0]?.counting).toEqual({ repeatedUsage: 1 });
});

test("a context that became too full sets the sums without a request", async () => {
  const full = { total_token_usage: { total_tokens: 900 }, last_token_usage: { total_tokens: 800 } };
  const { runs } = await readValues(
    meta,
    call("a"),
    count(sums(100, 100)),
    count(full),
    call("b"),
    count(sums(50, 50)),
  );
  expect(runs[0]?.steps.map(({ usage }) => usage?.inputTokens)).toEqual([100, 50]);
});

test("a reply that was aborted without tokens does not take those of the next turn", async () => {
  const person = (message: string) => ({ type: "event_msg", payload: { type: "user_message", message } });
  const { runs } = await readValues(
    meta,
    person("one"),
    call("a"),
    person("two"),
    call("b"),
    output("b", "ok"),
    count(sums(100, 100)),
  );
  expect(runs[0]?.steps.map(({ usage }) => usage?.inputTokens)).toEqual([undefined, 100]);
  expect(runs[0]?.counting).toEqual({ withoutUsage: 1 });
});

test("where events tell what a person wrote, other messages of the role user are codex's own", async () => {
  const user = (text: string) => item({ type: "message", role: "user", content: [{ type: "input_text", text }] });
  const event = { type: "event_msg", payload: { type: "user_message", message: "Fix it." } };
  const { runs } = await readValues(
    meta,
    user("A new kind of context."),
    user("Fix it."),
    event,
    call("a"),
    user("!"),
    call("b"),
  );
  expect(runs[0]?.task).toBe("Fix it.");
  expect(runs[0]?.steps.map((step) => step.user)).toEqual([true]);
});

test.each([mainFile, subagentFile, forkFile])("flipped bits in %s cost only their lines", async (file) => {
  expect(await fewestSteps(file)).toBeGreaterThan(0);
});

test("an editor's context is not the task", async () => {
  const message = "# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nFix it.\n";
  const { runs } = await readValues(meta, { type: "event_msg", payload: { type: "user_message", message } }, call("a"));
  expect(runs[0]?.task).toBe("Fix it.");
});

test("odd fields, unknown kinds and foreign lines are reported and cost nothing else", async () => {
  const { runs, skipped } = await readValues(
    meta,
    { type: "response_item", payload: 7 },
    { type: "user", role: "assistant", content: "of another agent" },
    item({ type: "new_kind" }),
    { type: "event_msg", payload: { type: "new_event" } },
    item({ type: "message", role: "assistant", content: "text" }),
    item({ type: "function_call", name: 7, arguments: 7, call_id: 7 }),
    count({ total_token_usage: [], last_token_usage: { input_tokens: "many", output_tokens: -1 } }),
  );
  expect(runs).toMatchObject([{ steps: [{ text: "text", calls: [{ name: "unnamed tool", args: 7 }] }] }]);
  expect(skipped).toEqual([
    { file: "renamed.txt", line: 2, why: "payload of response_item is no object" },
    {
      file: "renamed.txt",
      line: 3,
      why:
        "lines that the reader of Codex recordings does not know were left out: " +
        "user, response_item new_kind, event_msg new_event",
      lines: 3,
    },
  ]);
});

test("asking for the output of a running command is a poll, and writing to it is not", async () => {
  const item = (payload: object) => JSON.stringify({ type: "response_item", payload });
  const write = (call_id: string, chars: string) =>
    item({ type: "function_call", name: "write_stdin", call_id, arguments: JSON.stringify({ session_id: 1, chars }) });
  const meta = JSON.stringify({ type: "session_meta", payload: { id: id(9) } });
  const lines = [meta, write("a", ""), write("b", "y\n")].join("\n");
  const { runs } = await readText(lines);
  const calls = runs.flatMap(({ steps }) => steps).flatMap((step) => step.calls);
  expect(calls.map(({ name, kind }) => [name, kind])).toEqual([
    ["write_stdin", "poll"],
    ["write_stdin", undefined],
  ]);
});
