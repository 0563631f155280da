import { describe, expect, test } from "vitest";
import type { HookAnswer } from "../hook-answer.ts";
import type { HookEvent } from "../hook-event.ts";
import { claudeCodeContract as contract } from "./claude-code.ts";

/** The fields of every event, as version 2.1.325 sends them. */
const common = {
  session_id: "1786793a-acdc-4e89-9b77-afb28089005e",
  transcript_path: "/home/ada/.claude/projects/-home-ada-shop/1786793a-acdc-4e89-9b77-afb28089005e.jsonl",
  cwd: "/home/ada/shop",
  prompt_id: "5cd734f8-b3b1-423f-8778-28e061662b04",
  permission_mode: "default",
};
const frame = { session: common.session_id, cwd: common.cwd, recording: common.transcript_path };
const bash = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: "toolu_1" };
const call = { id: "toolu_1", tool: "Bash", args: { command: "npm test" } };

const event = (name: string, more: object = {}) => contract.read({ ...common, hook_event_name: name, ...more });
function known(name: string, more: object = {}): HookEvent {
  const read = event(name, more);
  if (typeof read === "string") throw new Error(read);
  return read;
}

describe("events", () => {
  test.each<readonly [string, object, object]>([
    ["SessionStart", { source: "startup" }, { type: "session-start" }],
    ["SessionStart", { source: "compact" }, { type: "compacted" }],
    ["UserPromptSubmit", { prompt: "Fix it." }, { type: "prompt", text: "Fix it.", origin: "person" }],
    ["PreToolUse", bash, { type: "before-call", call }],
    [
      "PostToolUse",
      { ...bash, tool_response: { stdout: "ok", stderr: "", interrupted: false }, duration_ms: 12 },
      { type: "after-call", call, status: "ok", content: { stdout: "ok", stderr: "", interrupted: false } },
    ],
    [
      "PostToolUse",
      { ...bash, tool_response: { stdout: "", stderr: "", interrupted: true } },
      { type: "after-call", call, status: "interrupted", content: { stdout: "", stderr: "", interrupted: true } },
    ],
    [
      "PostToolUseFailure",
      { ...bash, error: "Exit code 1\nError: 1 test failed", is_interrupt: false },
      { type: "after-call", call, status: "error", content: "Exit code 1\nError: 1 test failed" },
    ],
    [
      "PostToolUseFailure",
      { ...bash, error: "Command timed out after 2m 0.0s", is_interrupt: false },
      { type: "after-call", call, status: "timeout", content: "Command timed out after 2m 0.0s" },
    ],
    [
      "PostToolUseFailure",
      { ...bash, error: "[Request interrupted by user]", is_interrupt: true },
      { type: "after-call", call, status: "interrupted", content: "[Request interrupted by user]" },
    ],
    [
      "PostToolBatch",
      { tool_calls: [{ ...bash, tool_response: "ok" }, { nonsense: 1 }, null] },
      { type: "turn-end", results: [{ call, content: "ok" }] },
    ],
    [
      "Stop",
      { stop_hook_active: false, last_assistant_message: "Done.", background_tasks: [], session_crons: [] },
      { type: "stop", text: "Done.", isContinued: false, isWaiting: false },
    ],
    [
      "Stop",
      { stop_hook_active: true, background_tasks: [{ id: "a1", type: "subagent", status: "running" }] },
      { type: "stop", text: "", isContinued: true, isWaiting: true },
    ],
    ["SubagentStart", { agent_id: "a1", agent_type: "general-purpose" }, { type: "subagent-start", id: "a1" }],
    [
      "SubagentStop",
      { agent_id: "a1", agent_type: "general-purpose", stop_hook_active: false, agent_transcript_path: "/x.jsonl" },
      { type: "subagent-end", id: "a1" },
    ],
    ["StopFailure", { error: "rate_limit" }, { type: "other" }],
    ["Notification", { message: "…", notification_type: "permission_prompt" }, { type: "waiting", for: "approval" }],
    ["Notification", { message: "…", notification_type: "idle_prompt" }, { type: "waiting", for: "nothing" }],
    ["Notification", { message: "…", notification_type: "auth_success" }, { type: "other" }],
    ["PreCompact", { trigger: "auto", custom_instructions: "" }, { type: "other" }],
    ["SessionEnd", { reason: "other" }, { type: "session-end" }],
    ["EventOfTheFuture", { x: 1 }, { type: "other" }],
  ])("%s %j", (name, input, expected) => {
    expect(event(name, input)).toEqual({ ...frame, name, ...expected });
    expect(event(name, { ...input, field_of_the_future: [{}] })).toEqual({ ...frame, name, ...expected });
  });

  test("of a subagent name it", () => {
    expect(event("PreToolUse", { ...bash, agent_id: "a1", agent_type: "general-purpose" })).toEqual({
      ...frame,
      name: "PreToolUse",
      subagent: "a1",
      type: "before-call",
      call,
    });
  });

  test("say whether a person can be asked", () => {
    const modes = ["default", "acceptEdits", "plan", "bypassPermissions", "dontAsk"];
    expect(modes.map((permission_mode) => known("PreToolUse", { ...bash, permission_mode }).asksNobody)).toEqual([
      undefined,
      undefined,
      undefined,
      true,
      true,
    ]);
    expect(
      [
        { CLAUDE_CODE_SESSION_ATTENDED: "0" },
        { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" },
        { CLAUDE_CODE_ENTRYPOINT: "cli" },
      ].map((env) => contract.isHeadless?.(env)),
    ).toEqual([true, true, false]);
  });

  test("written by the program in the name of the user are no person's", () => {
    const notification = "<task-notification>\n<task-id>a1</task-id>\n</task-notification>";
    expect(known("UserPromptSubmit", { prompt: notification })).toMatchObject({ origin: "automatic" });
  });

  test("that are none are explained", () => {
    expect([contract.read(null), contract.read([]), contract.read("x"), contract.read({})]).toEqual(
      Array.from({ length: 4 }, () => "expected a hook event of Claude Code; it has no hook_event_name"),
    );
    expect(contract.read({ hook_event_name: "Stop" })).toBe(
      "expected a hook event of Claude Code; this Stop has no session_id",
    );
    expect(event("PreToolUse", { ...bash, tool_use_id: 7 })).toBe(
      "expected tool_name and tool_use_id in a PreToolUse of Claude Code",
    );
  });
});

describe("answers", () => {
  const written = (name: string, answer: HookAnswer, more: object = bash) => {
    const { stdout, exitCode, stderr } = contract.write(known(name, more), answer);
    expect([exitCode, stderr]).toEqual([0, undefined]); // any other exit code would lose the answer
    return stdout === "" ? "" : JSON.parse(stdout);
  };

  test("an empty one is no output, at every event", () => {
    for (const name of [...contract.events, "EventOfTheFuture"]) expect(written(name, {})).toBe("");
  });

  test("refuse and ask before a call, with the reason that is required", () => {
    const specific = (fields: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });
    expect(written("PreToolUse", { deny: "No." })).toEqual(
      specific({ permissionDecision: "deny", permissionDecisionReason: "No." }),
    );
    expect(written("PreToolUse", { ask: "Sure?" })).toEqual(
      specific({ permissionDecision: "ask", permissionDecisionReason: "Sure?" }),
    );
    expect(written("PreToolUse", { deny: "No.", stop: "It is over." })).toEqual({
      continue: false,
      stopReason: "It is over.",
      ...specific({ permissionDecision: "deny", permissionDecisionReason: "No." }),
    });
  });

  test("tell the model at the events that take it, and only there", () => {
    for (const name of ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "UserPromptSubmit", "Stop"])
      expect([contract.honours(known(name, bash), true).tell, written(name, { tell: "Look." })]).toEqual([
        true,
        { hookSpecificOutput: { hookEventName: name, additionalContext: "Look." } },
      ]);
    for (const name of ["Notification", "SessionEnd", "PreCompact", "StopFailure", "EventOfTheFuture"])
      expect(contract.honours(known(name), true)).toEqual({
        deny: false,
        ask: false,
        tell: false,
        stop: false,
        notify: true,
      });
  });

  test("stop the agent where it stops", () => {
    for (const name of ["PreToolUse", "PostToolBatch", "Stop"])
      expect([contract.honours(known(name, bash), true).stop, written(name, { stop: "Over." })]).toEqual([
        true,
        { continue: false, stopReason: "Over." },
      ]);
    for (const name of ["PostToolUse", "PostToolUseFailure"])
      expect(contract.honours(known(name, bash), true).stop).toBe(false);
    expect(written("UserPromptSubmit", { stop: "Over." })).toEqual({ decision: "block", reason: "Over." });
  });

  test("tell the user", () => {
    expect(written("SessionEnd", { notify: "Hello." })).toEqual({ systemMessage: "Hello." });
  });

  test("have texts of at most 10,000 characters", () => {
    const { stopReason, hookSpecificOutput } = written("PreToolUse", {
      stop: "s".repeat(20_000),
      deny: "d".repeat(20_000),
    });
    expect([stopReason.length, hookSpecificOutput.permissionDecisionReason.length]).toEqual([10_000, 10_000]);
  });
});
