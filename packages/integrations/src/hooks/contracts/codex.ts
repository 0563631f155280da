import type { Honours, HookAnswer, HookOutput } from "../hook-answer.ts";
import type { HookContract } from "../hook-contract.ts";
import type { HookEvent } from "../hook-event.ts";
import { callOf, frameOf, type HookFrame, objectOf, optional, subagentEvent, textOf } from "./fields.ts";

/**
 * Command hooks of Codex. Their shape is that of Claude Code, but an output with one unknown field is discarded as a
 * whole. Seen with version 0.166.0; `PreModelRequest` and `Interrupt` do not exist in older versions, which ignore
 * them in their settings.
 */
export const codexContract: HookContract = {
  agent: "codex",
  label: "Codex",
  events: [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PreModelRequest",
    "PostCompact",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "Interrupt",
    "SessionEnd",
  ],
  turnEnd: "last-result",
  headlessMark: '"source":"exec"',
  continues: "attended",
  howToStop: "press Esc",
  read: readEvent,
  honours,
  write: writeAnswer,
};

type Input = Readonly<Record<string, unknown>>;

function readEvent(value: unknown): HookEvent | string {
  const input = objectOf(value);
  const isNeverAsked = input["permission_mode"] === "bypassPermissions"; // the approval policy `never`
  const framed = frameOf(input, "Codex", isNeverAsked);
  if (typeof framed === "string") return framed;
  const { name } = framed;
  switch (name) {
    case "SessionStart":
      return { ...framed, type: "session-start" };
    case "SubagentStart":
      return subagentEvent(framed, "subagent-start");
    case "SubagentStop":
      return subagentEvent(framed, "subagent-end");
    case "UserPromptSubmit":
      return { ...framed, type: "prompt", text: textOf(input["prompt"]) ?? "", origin: "person" };
    case "PreToolUse":
    case "PostToolUse":
      return callEvent(framed, name, input);
    case "PreModelRequest":
      // A call that failed before it ran has no PostToolUse; here it is known that nothing is running any more.
      return { ...framed, type: "turn-end", results: [] };
    case "PermissionRequest":
      return { ...framed, type: "waiting", for: "approval" };
    case "Interrupt":
      return { ...framed, type: "waiting", for: "nothing" };
    case "PostCompact":
      return { ...framed, type: "compacted" };
    case "Stop":
      return {
        ...framed,
        type: "stop",
        text: textOf(input["last_assistant_message"]) ?? "",
        isContinued: input["stop_hook_active"] === true,
        isWaiting: false,
      };
    case "SessionEnd":
      return { ...framed, type: "session-end" };
    default:
      return { ...framed, type: "other" };
  }
}

/** Codex reports a command that ran as a success; its exit code is in the recording only. */
function callEvent(frame: HookFrame, name: string, input: Input): HookEvent | string {
  const call = callOf(input);
  if (call === undefined) return `expected tool_name and tool_use_id in a ${name} of Codex`;
  if (name === "PreToolUse") return { ...frame, type: "before-call", call };
  const content = input["tool_response"];
  const isFailed = objectOf(content)["isError"] === true; // a tool of an MCP server
  return { ...frame, type: "after-call", call, status: isFailed ? "error" : "ok", content };
}

const nothing: Honours = { deny: false, ask: false, tell: false, stop: false, notify: false };
const toTheUser: Honours = { ...nothing, notify: true };

/**
 * No answer about a call ends the work: before it `continue: false` is an error, and after it Codex only puts the
 * reason in place of the result and continues. So a stop refuses the call, and interrupts `codex exec`. The screen of
 * `codex` cannot be interrupted by another process; there all further calls are refused.
 */
function honours({ name }: HookEvent, attended: boolean): Honours {
  switch (name) {
    case "PreToolUse":
      return { ...toTheUser, deny: true, tell: true, stop: !attended };
    case "PostToolUse":
    case "SessionStart":
      return { ...toTheUser, tell: true };
    case "UserPromptSubmit":
    case "Stop":
      return { ...toTheUser, tell: true, stop: true };
    case "PostCompact":
      return { ...toTheUser, stop: true };
    case "PermissionRequest":
    case "SubagentStart":
    case "SubagentStop":
    case "Interrupt":
      return toTheUser;
    default:
      return nothing; // the output of the others is not read
  }
}

/** Every field here is in the schema of its event; no other may be added. */
function writeAnswer(event: HookEvent, { deny, tell, stop, notify }: HookAnswer): HookOutput {
  const { name } = event;
  const isCall = name === "PreToolUse";
  const output = {
    ...(stop === undefined || isCall ? {} : { continue: false, stopReason: stop }),
    ...(name === "Stop" && tell !== undefined && stop === undefined ? { decision: "block", reason: tell } : {}),
    ...optional("systemMessage", notify),
    ...optional(
      "hookSpecificOutput",
      name === "Stop" ? undefined : specificOutput(name, isCall ? (stop ?? deny) : undefined, tell),
    ),
  };
  return {
    stdout: Object.keys(output).length === 0 ? "" : JSON.stringify(output),
    exitCode: 0,
    ...(isCall && stop !== undefined ? { interrupt: { program: "codex" } } : {}),
  };
}

function specificOutput(name: string, deny: string | undefined, tell: string | undefined): object | undefined {
  if (deny === undefined && tell === undefined) return undefined;
  return {
    hookEventName: name,
    ...(deny === undefined ? {} : { permissionDecision: "deny", permissionDecisionReason: deny }),
    ...optional("additionalContext", tell),
  };
}
