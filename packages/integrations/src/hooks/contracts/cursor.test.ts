import { describe, expect, test } from "vitest";
import type { HookAnswer } from "../hook-answer.ts";
import type { HookEvent } from "../hook-event.ts";
import { claudeCodeContract } from "./claude-code.ts";
import { cursorContract as cursor } from "./cursor.ts";

/** Inputs in the form that Cursor documents. They were not recorded from the program. */
const frame = {
  conversation_id: "668320d2-2fd8-4888-b33c-2a466fec86e7",
  generation_id: "490b90b7-a2ce-4c2c-bb76-cb77b125df2f",
  model: "claude-sonnet-4.5",
  cursor_version: "3.1.0",
  workspace_roots: ["/home/ann/shop"],
  user_email: "ann@example.com",
  transcript_path: "/home/ann/.cursor/projects/shop/agent-transcripts/668320d2.txt",
};
const call = {
  tool_name: "Shell",
  tool_input: { command: "npm test" },
  tool_use_id: "toolu_01",
  cwd: "/home/ann/shop",
};

const inputs = {
  sessionStart: { ...frame, session_id: frame.conversation_id, is_background_agent: false, composer_mode: "agent" },
  beforeSubmitPrompt: { ...frame, prompt: "fix the tests", attachments: [] },
  preToolUse: { ...frame, ...call },
  postToolUse: { ...frame, ...call, tool_output: '{"exitCode":0,"stdout":"12 passed"}', duration: 5_432 },
  postToolUseFailure: { ...frame, ...call, error_message: "Timed out.", failure_type: "timeout", is_interrupt: false },
  subagentStart: { ...frame, subagent_id: "sub_1", subagent_type: "explore", task: "find the tests" },
  subagentStop: { ...frame, subagent_id: "sub_1", subagent_type: "explore", status: "completed" },
  preCompact: { ...frame, trigger: "auto", context_usage_percent: 85 },
  stop: { ...frame, status: "completed", loop_count: 0 },
  sessionEnd: { ...frame, session_id: frame.conversation_id, reason: "completed", duration_ms: 45_000 },
} as const;
type Name = keyof typeof inputs;

function read(name: Name, more: object = {}): HookEvent {
  const event = cursor.read({ hook_event_name: name, ...inputs[name], ...more });
  if (typeof event === "string") throw new Error(event);
  return event;
}

const seen = {
  session: frame.conversation_id,
  recording: frame.transcript_path,
  cwd: "/home/ann/shop",
  model: frame.model,
};
const seenCall = { id: "toolu_01", tool: "Shell", args: { command: "npm test" } };

describe("Cursor: reading", () => {
  test("every event that is attached is read", () => {
    expect(Object.keys(inputs).sort()).toEqual([...cursor.events].sort());
  });

  const expected: Readonly<Record<Name, object>> = {
    sessionStart: { type: "session-start" },
    beforeSubmitPrompt: { type: "prompt", text: "fix the tests", origin: "person" },
    preToolUse: { type: "before-call", call: seenCall },
    postToolUse: { type: "after-call", call: seenCall, status: "ok", content: { exitCode: 0, stdout: "12 passed" } },
    postToolUseFailure: { type: "after-call", call: seenCall, status: "timeout", content: "Timed out." },
    subagentStart: { type: "subagent-start", id: "sub_1" },
    subagentStop: { type: "subagent-end", id: "sub_1" },
    preCompact: { type: "compacted" },
    stop: { type: "stop", text: "", isContinued: false, isWaiting: false },
    sessionEnd: { type: "session-end" },
  };
  test.each(Object.keys(inputs) as Name[])("%s", (name) => {
    expect(read(name)).toEqual({ ...seen, name, ...expected[name] });
  });

  test("arguments may be JSON in a text", () => {
    const text = read("preToolUse", { tool_input: '{"command":"npm test"}' });
    expect(text).toEqual(read("preToolUse"));
    expect(read("preToolUse", { tool_input: "{not json" })).toMatchObject({ call: { args: "{not json" } });
  });

  test("how a call failed", () => {
    const status = (more: object) => read("postToolUseFailure", more);
    expect(status({ failure_type: "permission_denied" })).toMatchObject({ status: "denied" });
    expect(status({ failure_type: "error" })).toMatchObject({ status: "error" });
    expect(status({ is_interrupt: true })).toMatchObject({ status: "interrupted" });
  });

  test("a command that ran and failed", () => {
    expect(read("postToolUse", { tool_output: '{"exitCode":1,"stderr":"1 failed"}' })).toMatchObject({
      status: "error",
    });
  });

  test("a run that was ended by its user does not want to continue", () => {
    expect(read("stop", { status: "aborted" })).toMatchObject({ type: "waiting", for: "nothing" });
    expect(read("stop", { loop_count: 2 })).toMatchObject({ type: "stop", isContinued: true });
  });

  test("a background agent asks nobody", () => {
    expect(read("sessionStart", { is_background_agent: true })).toMatchObject({ asksNobody: true });
  });

  test("the same event for the hooks of Claude Code, which Cursor can run as well, is left to our own hook", () => {
    const delivered = { ...inputs.preToolUse, hook_event_name: "PreToolUse", session_id: frame.conversation_id };
    expect(claudeCodeContract.read(delivered)).toBe(
      "expected a hook event of Claude Code; this PreToolUse is of Cursor",
    );
  });

  test("the events of shell, MCP and files report calls again, so that they are not attached", () => {
    for (const name of ["beforeShellExecution", "afterMCPExecution", "afterFileEdit"]) {
      expect(cursor.events).not.toContain(name);
      expect(cursor.read({ ...frame, hook_event_name: name, command: "ls" })).toMatchObject({ type: "other" });
    }
  });

  test.each([
    null,
    [],
    "text",
    {},
    { hook_event_name: "stop" },
    { hook_event_name: "preToolUse", conversation_id: "c" },
  ])("%j is no event: a sentence says why", (input) => {
    expect(cursor.read(input)).toMatch(/^expected .*Cursor/);
  });
});

describe("Cursor: writing", () => {
  const output = (event: HookEvent, answer: HookAnswer) => {
    const { stdout, stderr, exitCode } = cursor.write(event, answer);
    expect({ stderr, exitCode }).toEqual({ stderr: undefined, exitCode: 0 });
    return JSON.parse(stdout) as unknown;
  };

  test.each(Object.keys(inputs) as Name[])("%s: no answer is JSON, and allows nothing by itself", (name) => {
    expect(output(read(name), {})).toEqual(name === "beforeSubmitPrompt" ? { continue: true } : {});
  });

  test("an event that is unknown gets JSON as well", () => {
    expect(output({ type: "other", name: "", session: "" }, {})).toEqual({});
  });

  test("a refusal has a text for the user and one for the model", () => {
    const messages = { user_message: "Why.", agent_message: "Why." };
    expect(output(read("preToolUse"), { deny: "Why." })).toEqual({ permission: "deny", ...messages });
    expect(output(read("preToolUse"), { deny: "Why.", notify: "Press Stop." })).toMatchObject({
      ...{ user_message: "Press Stop.", agent_message: "Why." },
    });
  });

  test("hints, a prompt that is refused, and a follow-up", () => {
    expect(output(read("postToolUse"), { tell: "Look." })).toEqual({ additional_context: "Look." });
    expect(output(read("beforeSubmitPrompt"), { stop: "Spent." })).toEqual({ continue: false, user_message: "Spent." });
    expect(output(read("stop"), { tell: "Continue." })).toEqual({ followup_message: "Continue." });
  });

  test("what Cursor does not honour", () => {
    const honoured = (name: Name) =>
      Object.entries(cursor.honours(read(name), true)).flatMap(([part, isHonoured]) => (isHonoured ? [part] : []));
    expect(honoured("preToolUse")).toEqual(["deny", "notify"]); // `ask` is accepted and not enforced
    expect(cursor.honours(read("preToolUse"), true).notify).toBe("with-deny");
    expect(honoured("postToolUseFailure")).toEqual([]); // the hint waits for the next result
    expect(honoured("sessionEnd")).toEqual([]);
  });
});
