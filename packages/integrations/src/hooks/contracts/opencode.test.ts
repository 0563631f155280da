import { describe, expect, test } from "vitest";
import type { HookAnswer } from "../hook-answer.ts";
import type { HookEvent } from "../hook-event.ts";
import type { PluginEvent } from "../plugin-event.ts";
import { opencodeContract as opencode } from "./opencode.ts";

const frame = { version: 1, session: "ses_1", directory: "/home/ann/shop", model: "model-1" } as const;
const call = { id: "call_1", tool: "bash", args: { command: "npm test" } };

const inputs = {
  "session.created": { event: "session.created", ...frame, subagent: "ses_2" },
  "chat.message": { event: "chat.message", ...frame, text: "fix the tests" },
  "tool.execute.before": { event: "tool.execute.before", ...frame, call },
  "tool.execute.after": { event: "tool.execute.after", ...frame, call, output: "12 passed" },
  "experimental.chat.messages.transform": {
    event: "experimental.chat.messages.transform",
    ...frame,
    failed: [{ call, error: "File not found" }],
  },
  "permission.asked": { event: "permission.asked", ...frame },
  "session.compacted": { event: "session.compacted", ...frame },
  "session.idle": { event: "session.idle", ...frame, text: "Done." },
} as const satisfies Readonly<Record<PluginEvent["event"], PluginEvent>>;
type Name = keyof typeof inputs;

function read(name: Name, more: object = {}): HookEvent {
  const event = opencode.read({ ...inputs[name], ...more });
  if (typeof event === "string") throw new Error(event);
  return event;
}
const seen = { session: "ses_1", cwd: "/home/ann/shop", model: "model-1" };

describe("opencode: reading", () => {
  const expected: Readonly<Record<Name, object>> = {
    "session.created": { type: "subagent-start", id: "ses_2" },
    "chat.message": { type: "prompt", text: "fix the tests", origin: "person" },
    "tool.execute.before": { type: "before-call", call },
    "tool.execute.after": { type: "after-call", call, status: "ok", content: "12 passed" },
    "experimental.chat.messages.transform": {
      type: "turn-end",
      results: [{ call, status: "error", content: "File not found" }],
    },
    "permission.asked": { type: "waiting", for: "approval" },
    "session.compacted": { type: "compacted" },
    "session.idle": { type: "stop", text: "Done.", isContinued: false, isWaiting: false },
  };
  test.each(Object.keys(inputs) as Name[])("%s", (name) => {
    expect(read(name)).toEqual({ ...seen, name, ...expected[name] });
  });

  test("every event is attached by the plugin, and read", () => {
    expect(Object.keys(inputs).sort()).toEqual([...opencode.events].sort());
  });

  test("a subagent works and ends in a session of its own", () => {
    expect(read("tool.execute.before", { subagent: "ses_2" })).toMatchObject({ session: "ses_1", subagent: "ses_2" });
    expect(read("session.idle", { subagent: "ses_2" })).toMatchObject({ type: "subagent-end", id: "ses_2" });
  });

  test("what was used, in nano-dollars", () => {
    const usage = { inputTokens: 1_000, cacheReadTokens: 400, cacheWriteTokens: 0, outputTokens: 50, costUsd: 0.00267 };
    const { costUsd: _, ...tokens } = usage;
    expect(read("session.idle", { usage })).toMatchObject({ usage: { ...tokens, costNanoUsd: 2_670_000 } });
    expect(read("session.idle", { usage: { ...usage, costUsd: 0 } })).toMatchObject({ usage: { costNanoUsd: null } });
    expect(read("session.idle", { usage: { inputTokens: "many" } })).not.toHaveProperty("usage");
  });

  test("a command has failed by its exit code", () => {
    expect(read("tool.execute.after", { exitCode: 2 })).toMatchObject({ status: "error" });
    expect(read("tool.execute.after", { exitCode: 0 })).toMatchObject({ status: "ok" });
  });

  test.each([
    null,
    {},
    { event: "session.idle", version: 2, session: "s" },
    { event: "session.idle", version: 1 },
    { event: "tool.execute.before", version: 1, session: "s", call: { id: "c" } },
  ])("%j is no event: a sentence says why", (input) => {
    expect(opencode.read(input)).toMatch(/^expected .*opencode/);
  });
});

describe("opencode: writing", () => {
  const output = (answer: HookAnswer) => JSON.parse(opencode.write(read("tool.execute.before"), answer).stdout);

  test("the plugin gets the parts of the answer", () => {
    expect(output({})).toEqual({});
    expect(output({ deny: "d", tell: "t", stop: "s", notify: "n" })).toEqual({
      deny: "d",
      tell: "t",
      stop: "s",
      notify: "n",
    });
  });

  test("opencode cannot ask about a call for a plugin", () => {
    for (const name of Object.keys(inputs) as Name[]) expect(opencode.honours(read(name), true).ask).toBe(false);
  });
});
