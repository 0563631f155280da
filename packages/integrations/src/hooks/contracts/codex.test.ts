import { describe, expect, test } from "vitest";
import type { HookAnswer } from "../hook-answer.ts";
import type { HookEvent } from "../hook-event.ts";
import { codexContract as codex } from "./codex.ts";

/** Inputs as `codex exec` 0.166.0 wrote them; those of subagents, approvals and compactions by its schemas. */
const session = "01a1f1f3-e945-7113-b018-44cba09b59d8";
const recording = `/home/ann/.codex/sessions/2026/11/19/rollout-2026-11-19T03-57-36-${session}.jsonl`;
const frame = { session_id: session, transcript_path: recording, cwd: "/home/ann/shop", model: "gpt-5" };
const inTurn = { ...frame, turn_id: "01a1f1f3-e95c-73a0-a0d8-a22496e1a484", permission_mode: "default" };
const child = { agent_id: "01a1f1f9-1111-7abc-8def-000000000001", agent_type: "worker" };
const call = { tool_name: "Bash", tool_input: { command: "cat a.txt" }, tool_use_id: "call_0_0" };

const inputs = {
  SessionStart: { ...frame, permission_mode: "default", source: "startup" },
  UserPromptSubmit: { ...inTurn, prompt: "look at a.txt" },
  PreModelRequest: { ...frame, turn_id: inTurn.turn_id },
  PreToolUse: { ...inTurn, ...call },
  PermissionRequest: { ...inTurn, tool_name: "Bash", tool_input: { command: "rm -r dist" } },
  PostToolUse: { ...inTurn, ...call, tool_response: "hello\n" },
  PostCompact: { ...frame, turn_id: inTurn.turn_id, trigger: "auto" },
  SubagentStart: { ...inTurn, ...child },
  SubagentStop: {
    ...inTurn,
    ...child,
    agent_transcript_path: null,
    stop_hook_active: false,
    last_assistant_message: "Done.",
  },
  Stop: { ...inTurn, stop_hook_active: false, last_assistant_message: "Fixed." },
  Interrupt: inTurn,
  SessionEnd: { session_id: session, transcript_path: recording, cwd: "/home/ann/shop", reason: "other" },
} as const;
type Name = keyof typeof inputs;

function read(name: Name, more: object = {}): HookEvent {
  const event = codex.read({ hook_event_name: name, ...inputs[name], ...more });
  if (typeof event === "string") throw new Error(event);
  return event;
}

const seen = { session, recording, cwd: "/home/ann/shop", model: "gpt-5" };
const seenCall = { id: "call_0_0", tool: "Bash", args: { command: "cat a.txt" } };

describe("Codex: reading", () => {
  test("every event that is attached is read", () => {
    expect(Object.keys(inputs).sort()).toEqual([...codex.events].sort());
  });

  const expected: Readonly<Record<Name, object>> = {
    SessionStart: { type: "session-start" },
    UserPromptSubmit: { type: "prompt", text: "look at a.txt", origin: "person" },
    PreModelRequest: { type: "turn-end", results: [] },
    PreToolUse: { type: "before-call", call: seenCall },
    PermissionRequest: { type: "waiting", for: "approval" },
    PostToolUse: { type: "after-call", call: seenCall, status: "ok", content: "hello\n" },
    PostCompact: { type: "compacted" },
    SubagentStart: { type: "subagent-start", id: child.agent_id },
    SubagentStop: { type: "subagent-end", id: child.agent_id },
    Stop: { type: "stop", text: "Fixed.", isContinued: false, isWaiting: false },
    Interrupt: { type: "waiting", for: "nothing" },
    SessionEnd: { type: "session-end" },
  };
  test.each(Object.keys(inputs) as Name[])("%s", (name) => {
    const { model, ...withoutModel } = seen;
    expect(read(name)).toEqual({ ...(name === "SessionEnd" ? withoutModel : seen), name, ...expected[name] });
  });

  test("an event of a subagent says so", () => {
    expect(read("PreToolUse", child)).toMatchObject({ type: "before-call", subagent: child.agent_id });
  });

  test("the approval policy `never` asks nobody", () => {
    expect(read("PreToolUse", { permission_mode: "bypassPermissions" })).toMatchObject({ asksNobody: true });
    expect(read("PreToolUse")).not.toHaveProperty("asksNobody");
  });

  test("a failed tool of an MCP server", () => {
    const tool_response = { content: [{ type: "text", text: "no such table" }], isError: true };
    expect(read("PostToolUse", { tool_response })).toMatchObject({ status: "error", content: tool_response });
  });

  test("a session without a recording, an unknown event, and fields of newer versions", () => {
    expect(read("Stop", { transcript_path: null, new_field: 1 })).not.toHaveProperty("recording");
    expect(codex.read({ ...inTurn, hook_event_name: "PreCompact" })).toMatchObject({ type: "other" });
  });

  test.each([null, [], "text", {}, { hook_event_name: "Stop" }, { hook_event_name: "PreToolUse", session_id: "s" }])(
    "%j is no event: a sentence says why",
    (input) => {
      expect(codex.read(input)).toMatch(/^expected .*Codex/);
    },
  );
});

/**
 * What the schemas in Codex allow: one other field, and the whole output is discarded. The second list is that of
 * `hookSpecificOutput`. An event that is missing here has no output at all.
 */
const universal = ["continue", "stopReason", "suppressOutput", "systemMessage"];
const allowed: Readonly<Partial<Record<string, readonly [readonly string[], readonly string[]]>>> = {
  SessionStart: [
    [...universal, "hookSpecificOutput"],
    ["hookEventName", "additionalContext"],
  ],
  UserPromptSubmit: [
    [...universal, "decision", "reason", "hookSpecificOutput"],
    ["hookEventName", "additionalContext"],
  ],
  PreToolUse: [
    [...universal, "decision", "reason", "hookSpecificOutput"],
    ["hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"],
  ],
  PermissionRequest: [
    [...universal, "hookSpecificOutput"],
    ["hookEventName", "decision"],
  ],
  PostToolUse: [
    [...universal, "decision", "reason", "hookSpecificOutput"],
    ["hookEventName", "additionalContext", "updatedMCPToolOutput"],
  ],
  PostCompact: [universal, []],
  SubagentStart: [
    [...universal, "hookSpecificOutput"],
    ["hookEventName", "additionalContext"],
  ],
  SubagentStop: [[...universal, "decision", "reason"], []],
  Stop: [[...universal, "decision", "reason"], []],
  Interrupt: [["systemMessage"], []],
};

const parts: readonly HookAnswer[] = [{}, { deny: "d" }, { tell: "t" }, { stop: "s" }, { notify: "n" }];
/** Every answer of up to two parts that the event honours. */
function answersTo(event: HookEvent): readonly HookAnswer[] {
  const honoured = codex.honours(event, true);
  const isHonoured = (answer: HookAnswer) =>
    (Object.keys(answer) as (keyof HookAnswer)[]).every((part) => honoured[part]);
  return parts.flatMap((a) => parts.map((b) => ({ ...a, ...b }))).filter(isHonoured);
}

describe("Codex: writing", () => {
  test.each(Object.keys(inputs) as Name[])(
    "%s: no field that its schema does not have, and always exit code 0",
    (name) => {
      const event = read(name);
      for (const answer of answersTo(event)) {
        const { stdout, stderr, exitCode } = codex.write(event, answer);
        expect(exitCode).toBe(0); // 2 without a text on stderr is an error
        expect(stderr).toBeUndefined();
        if (Object.keys(answer).length === 0) expect(stdout).toBe("");
        if (stdout === "") continue;
        const output = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
        const specific = (output["hookSpecificOutput"] ?? {}) as Readonly<Record<string, unknown>>;
        const [fields = [], specificFields = []] = allowed[name] ?? [];
        expect(fields).toEqual(expect.arrayContaining(Object.keys(output)));
        expect(specificFields).toEqual(expect.arrayContaining(Object.keys(specific)));
        if ("hookSpecificOutput" in output) expect(specific["hookEventName"]).toBe(name);
        expect(output).not.toHaveProperty("suppressOutput");
      }
    },
  );

  const output = (name: Name, answer: HookAnswer) => JSON.parse(codex.write(read(name), answer).stdout);

  test("a refusal has a reason, and no field of a stop, which would be an error before a call", () => {
    expect(output("PreToolUse", { deny: "Refused.", tell: "Look." })).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "Refused.",
        additionalContext: "Look.",
      },
    });
  });

  test("a stop before a call refuses it with the reason, and interrupts `codex exec`", () => {
    const { stdout, interrupt } = codex.write(read("PreToolUse"), { deny: "Ended.", stop: "Sheepdog stopped Codex." });
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: "Sheepdog stopped Codex.",
      },
    });
    expect(interrupt).toEqual({ program: "codex" });
    expect(codex.write(read("PreToolUse"), { deny: "Refused." })).not.toHaveProperty("interrupt");
  });

  test("a hint after a call is context beside the result", () => {
    expect(output("PostToolUse", { tell: "This exact call has failed 3 times." })).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "This exact call has failed 3 times." },
    });
  });

  test("a stop where Codex honours it", () => {
    for (const name of ["UserPromptSubmit", "Stop", "PostCompact"] as const)
      expect(output(name, { stop: "The budget is spent." })).toEqual({
        continue: false,
        stopReason: "The budget is spent.",
      });
  });

  test("an agent that wants to end continues with the message as its prompt", () => {
    expect(output("Stop", { tell: "Nothing was done yet." })).toEqual({
      decision: "block",
      reason: "Nothing was done yet.",
    });
  });

  test("what Codex does not honour", () => {
    const honoured = (name: Name) =>
      Object.entries(codex.honours(read(name), true)).flatMap(([part, isHonoured]) => (isHonoured ? [part] : []));
    expect(honoured("PreToolUse")).toEqual(["deny", "tell", "notify"]); // `ask` is an error
    expect(codex.honours(read("PreToolUse"), false).stop).toBe(true); // `codex exec` is interrupted
    expect(honoured("PostToolUse")).toEqual(["tell", "notify"]); // `continue: false` only replaces the result
    expect(honoured("PreModelRequest")).toEqual([]); // its output is not read
    expect(honoured("SessionEnd")).toEqual([]);
  });
});
