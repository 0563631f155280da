import { describe, expect, test } from "vitest";
import type { HookAnswer } from "../hook-answer.ts";
import type { HookEvent } from "../hook-event.ts";
import { geminiCliContract as gemini } from "./gemini-cli.ts";

/** Inputs as `gemini` 0.61.0 wrote them; the notification by its types. */
const session = "5caf4f60-c374-40f9-b2f5-0a37b76174e4";
const recording = "/home/ann/.gemini/tmp/shop/chats/session-2026-11-19T03-59-5caf4f60.jsonl";
const timestamp = "2026-11-19T03:59:41.569Z";
const frame = { session_id: session, transcript_path: recording, cwd: "/home/ann/shop", timestamp };
const call = { tool_name: "read_file", tool_input: { file_path: "a.txt" } };
const permission = { type: "exec", title: "Confirm", command: "rm -r dist", rootCommand: "rm" };

const inputs = {
  SessionStart: { ...frame, source: "startup" },
  BeforeAgent: { ...frame, prompt: "look at a.txt" },
  BeforeTool: { ...frame, ...call },
  AfterTool: { ...frame, ...call, tool_response: { llmContent: "hello\n", returnDisplay: "" } },
  AfterAgent: { ...frame, prompt: "look at a.txt", prompt_response: "It says hello.", stop_hook_active: false },
  Notification: {
    ...frame,
    notification_type: "ToolPermission",
    message: "Tool run_shell_command",
    details: permission,
  },
  SessionEnd: { ...frame, reason: "exit" },
} as const;
type Name = keyof typeof inputs;

function read(name: string, input: object): HookEvent {
  const event = gemini.read({ hook_event_name: name, ...input });
  if (typeof event === "string") throw new Error(event);
  return event;
}
const seen = { session, recording, cwd: "/home/ann/shop", key: timestamp };
const seenCall = { id: expect.any(String), tool: "read_file", args: { file_path: "a.txt" } };

describe("Gemini CLI: reading", () => {
  test("every event that is attached is read", () => {
    expect(Object.keys(inputs).sort()).toEqual([...gemini.events].sort());
  });

  const expected: Readonly<Record<Name, object>> = {
    SessionStart: { type: "session-start" },
    BeforeAgent: { type: "prompt", text: "look at a.txt", origin: "person" },
    BeforeTool: { type: "before-call", call: seenCall },
    AfterTool: { type: "after-call", call: seenCall, status: "ok", content: "hello\n" },
    AfterAgent: { type: "stop", text: "It says hello.", isContinued: false, isWaiting: false },
    Notification: { type: "waiting", for: "approval" },
    SessionEnd: { type: "session-end" },
  };
  test.each(Object.keys(inputs) as Name[])("%s", (name) => {
    expect(read(name, inputs[name])).toEqual({ ...seen, name, ...expected[name] });
  });

  test("a result belongs to the call with the same arguments, as there are no ids", () => {
    const idOf = (event: HookEvent) => ("call" in event ? event.call.id : undefined);
    const before = idOf(read("BeforeTool", inputs.BeforeTool));
    expect(idOf(read("AfterTool", inputs.AfterTool))).toBe(before);
    const other = { ...inputs.BeforeTool, tool_input: { file_path: "b.txt" } };
    expect(idOf(read("BeforeTool", other))).not.toBe(before);
  });

  const result = (tool_response: object) => {
    const event = read("AfterTool", { ...inputs.AfterTool, tool_response });
    return "status" in event ? { status: event.status, content: event.content } : undefined;
  };

  test("a failed tool has the error that the model reads", () => {
    const message = "File not found: /home/ann/shop/nope.txt";
    const llmContent = "Could not read file because no file was found at the specified path.";
    const error = { message, type: "file_not_found" };
    expect(result({ llmContent, returnDisplay: "File not found.", error })).toEqual({
      status: "error",
      content: message,
    });
    expect(result({ llmContent, error: { message, type: "invalid_tool_params" } })?.status).toBe("invalid-arguments");
  });

  test("a command states its exit code in the text", () => {
    const text = (code: number) =>
      `<untrusted_context>\nOutput: cat: nope.txt: No such file or directory\nExit Code: ${code}\n</untrusted_context>`;
    const resultOf = (tool_name: string, code: number) =>
      read("AfterTool", { ...inputs.AfterTool, tool_name, tool_response: { llmContent: text(code) } });
    expect(resultOf("run_shell_command", 1)).toMatchObject({ status: "error" });
    expect(resultOf("run_shell_command", 127)).toMatchObject({ status: "error" });
    expect(resultOf("run_shell_command", 0)).toMatchObject({ status: "ok" });
    expect(resultOf("read_file", 1)).toMatchObject({ status: "ok" }); // a log with such a line
  });

  test("our own reason comes back as a prompt, which is not a person's", () => {
    expect(read("BeforeAgent", { ...frame, prompt: "Sheepdog: nothing was done yet." })).toMatchObject({
      origin: "automatic",
    });
  });

  test("PreCompress comes before every request, so that it is no compaction", () => {
    expect(read("PreCompress", { ...frame, trigger: "auto" })).toMatchObject({ type: "other" });
    expect(gemini.events).not.toContain("PreCompress");
    expect(gemini.events).not.toContain("AfterModel"); // runs for every part of a stream
  });

  test.each([
    null,
    [],
    "text",
    {},
    { hook_event_name: "AfterAgent" },
    { hook_event_name: "BeforeTool", session_id: "s" },
  ])("%j is no event: a sentence says why", (input) => {
    expect(gemini.read(input)).toMatch(/^expected .*Gemini CLI/);
  });
});

describe("Gemini CLI: writing", () => {
  const output = (event: HookEvent, answer: HookAnswer) => {
    const { stdout, stderr, exitCode } = gemini.write(event, answer);
    expect({ stderr, exitCode }).toEqual({ stderr: undefined, exitCode: 0 });
    return JSON.parse(stdout) as unknown; // throws if it is not one JSON object and nothing else
  };
  const event = (name: Name) => read(name, inputs[name]);

  test.each(Object.keys(inputs) as Name[])("%s: no answer is an empty object", (name) => {
    expect(output(event(name), {})).toEqual({});
  });

  test("a refusal and a stop before a call", () => {
    expect(output(event("BeforeTool"), { deny: "Refused." })).toEqual({ decision: "deny", reason: "Refused." });
    expect(output(event("BeforeTool"), { deny: "Ended.", stop: "Stopped.", notify: "Note." })).toEqual({
      continue: false,
      stopReason: "Stopped.",
      decision: "deny",
      reason: "Ended.",
      systemMessage: "Note.",
    });
  });

  test("a hint is context of a result, of a prompt, and of a session", () => {
    for (const name of ["AfterTool", "BeforeAgent", "SessionStart"] as const)
      expect(output(event(name), { tell: "Look." })).toEqual({
        hookSpecificOutput: { hookEventName: name, additionalContext: "Look." },
      });
  });

  test("beside the error of a failed tool context is lost, so the hint is added to the error", () => {
    const tool_response = { llmContent: "x", error: { message: "File not found", type: "file_not_found" } };
    const failed = read("AfterTool", { ...inputs.AfterTool, tool_response });
    expect(output(failed, { tell: "Look." })).toEqual({ decision: "deny", reason: "File not found\n\nLook." });
    const exit = { tool_name: "run_shell_command", tool_response: { llmContent: "a\nExit Code: 1\n" } };
    const command = read("AfterTool", { ...inputs.AfterTool, ...exit });
    expect(command).toMatchObject({ status: "error" });
    expect(output(command, { tell: "Look." })).toHaveProperty("hookSpecificOutput");
  });

  test("an agent that wants to end continues with the message as its prompt", () => {
    expect(output(event("AfterAgent"), { tell: "Continue." })).toEqual({ decision: "deny", reason: "Continue." });
  });

  test("what Gemini CLI does not honour", () => {
    const honoured = (name: Name) =>
      Object.entries(gemini.honours(event(name), true)).flatMap(([part, isHonoured]) => (isHonoured ? [part] : []));
    expect(honoured("BeforeTool")).toEqual(["deny", "stop", "notify"]); // `ask` waits for ever in `gemini -p`
    expect(honoured("AfterTool")).toEqual(["tell", "stop", "notify"]);
    expect(honoured("SessionEnd")).toEqual([]);
  });
});
