import type { Status } from "@sheepdog/guardian";
import type { Honours, HookAnswer, HookOutput } from "../hook-answer.ts";
import type { HookContract } from "../hook-contract.ts";
import type { HookCall, HookEvent } from "../hook-event.ts";
import { callOf, type HookFrame, objectOf, optional, textOf } from "./fields.ts";

/**
 * Command hooks of Cursor, as documented in November 2026; not seen with the program, which cannot run without an
 * account. The generic events of tools are attached, and not those of shell, MCP and files, which report the same calls
 * again.
 */
export const cursorContract: HookContract = {
  agent: "cursor",
  label: "Cursor",
  events: [
    "sessionStart",
    "beforeSubmitPrompt",
    "preToolUse",
    "postToolUse",
    "postToolUseFailure",
    "subagentStart",
    "subagentStop",
    "preCompact",
    "stop",
    "sessionEnd",
  ],
  turnEnd: "last-result",
  continues: "always",
  howToStop: "press the Stop button",
  read: readEvent,
  honours,
  write: writeAnswer,
};

type Input = Readonly<Record<string, unknown>>;

function readEvent(value: unknown): HookEvent | string {
  const input = objectOf(value);
  const name = textOf(input["hook_event_name"]);
  const session = textOf(input["conversation_id"]) ?? textOf(input["session_id"]);
  if (name === undefined) return "expected a hook event of Cursor; it has no hook_event_name";
  if (session === undefined) return `expected a hook event of Cursor; this ${name} has no conversation_id`;
  const roots = input["workspace_roots"];
  const framed = {
    name,
    session,
    ...optional("cwd", textOf(input["cwd"]) ?? textOf(Array.isArray(roots) ? roots[0] : undefined)),
    ...optional("recording", textOf(input["transcript_path"])),
    ...optional("model", textOf(input["model"])),
    ...optional("asksNobody", input["is_background_agent"] === true ? (true as const) : undefined),
  };
  switch (name) {
    case "sessionStart":
      return { ...framed, type: "session-start" };
    case "beforeSubmitPrompt": {
      const text = textOf(input["prompt"]) ?? "";
      return { ...framed, type: "prompt", text, origin: text.startsWith("Sheepdog") ? "automatic" : "person" };
    }
    case "preToolUse":
    case "postToolUse":
    case "postToolUseFailure":
      return callEvent(framed, name, input);
    case "subagentStart":
    case "subagentStop": {
      const id = textOf(input["subagent_id"]);
      if (id === undefined) return { ...framed, type: "other" };
      return { ...framed, type: name === "subagentStart" ? "subagent-start" : "subagent-end", id };
    }
    case "preCompact":
      return { ...framed, type: "compacted" };
    case "stop":
      return stopEvent(framed, input);
    case "sessionEnd":
      return { ...framed, type: "session-end" };
    default:
      return { ...framed, type: "other" };
  }
}

function callEvent(frame: HookFrame, name: string, input: Input): HookEvent | string {
  const written = callOf(input);
  if (written === undefined) return `expected tool_name and tool_use_id in a ${name} of Cursor`;
  const call: HookCall = { ...written, args: parsed(written.args) };
  if (name === "preToolUse") return { ...frame, type: "before-call", call };
  if (name === "postToolUse") {
    const content = parsed(input["tool_output"] ?? input["result_json"]);
    const exitCode = objectOf(content)["exitCode"];
    const isFailed = typeof exitCode === "number" && exitCode !== 0;
    return { ...frame, type: "after-call", call, status: isFailed ? "error" : "ok", content };
  }
  return { ...frame, type: "after-call", call, status: failureStatus(input), content: input["error_message"] ?? "" };
}

/** JSON that some events carry as text; any other text is itself. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value; // a text that only begins like JSON
  }
}

const failures: Readonly<Record<string, Status>> = { timeout: "timeout", permission_denied: "denied" };

function failureStatus(input: Input): Status {
  if (input["is_interrupt"] === true) return "interrupted";
  return failures[String(input["failure_type"])] ?? "error";
}

/** A run that the user has ended, or that failed, does not want to be continued. */
function stopEvent(frame: HookFrame, input: Input): HookEvent {
  if (input["status"] === "aborted" || input["status"] === "error")
    return { ...frame, type: "waiting", for: "nothing" };
  const loops = input["loop_count"];
  return {
    ...frame,
    type: "stop",
    text: "", // Cursor does not say what the agent answered
    isContinued: typeof loops === "number" && loops > 0,
    isWaiting: false,
  };
}

const nothing: Honours = { deny: false, ask: false, tell: false, stop: false, notify: false };

/**
 * No event but the next prompt can end the work, so a stop refuses all further calls. `ask` is in the schema of
 * `preToolUse`, but Cursor makes the call without asking.
 */
function honours({ name }: HookEvent): Honours {
  switch (name) {
    case "preToolUse":
      return { ...nothing, deny: true, notify: "with-deny" };
    case "postToolUse":
    case "sessionStart":
    case "stop":
      return { ...nothing, tell: true };
    case "beforeSubmitPrompt":
      return { ...nothing, stop: true };
    default:
      return nothing;
  }
}

/** Cursor expects JSON at every event, `{}` if there is nothing to say. */
function writeAnswer({ name }: HookEvent, answer: HookAnswer): HookOutput {
  return { stdout: JSON.stringify(outputOf(name, answer)), exitCode: 0 };
}

function outputOf(name: string, { deny, tell, stop, notify }: HookAnswer): object {
  switch (name) {
    case "preToolUse":
      // "allow" could spare a call the approval that it needs.
      return deny === undefined ? {} : { permission: "deny", user_message: notify ?? deny, agent_message: deny };
    case "beforeSubmitPrompt":
      return stop === undefined ? { continue: true } : { continue: false, user_message: stop };
    case "stop":
      return { ...optional("followup_message", tell) };
    default:
      return { ...optional("additional_context", tell) };
  }
}
