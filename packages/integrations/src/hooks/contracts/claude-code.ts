import type { Status, ToolKind } from "@sheepdog/guardian";
import type { Honours, HookAnswer, HookOutput } from "../hook-answer.ts";
import type { HookContract } from "../hook-contract.ts";
import type { HookCall, HookEvent, HookResult } from "../hook-event.ts";
import { capped, failureStatus, isAutomaticPrompt } from "./claude-code-words.ts";
import { callOf, frameOf, type HookFrame, listOf, objectOf, optional, subagentEvent, textOf } from "./fields.ts";

/**
 * Command hooks of Claude Code. Every event has been seen with version 2.1.325 except `Notification`, `StopFailure`
 * and the two about compaction, which are as documented.
 */
export const claudeCodeContract: HookContract = {
  agent: "claude-code",
  label: "Claude Code",
  events: [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "StopFailure",
    "Notification",
    "PreCompact",
    "SessionEnd",
  ],
  turnEnd: "event",
  howToStop: "press Esc",
  isHeadless: (env) =>
    env["CLAUDE_CODE_SESSION_ATTENDED"] === "0" || env["CLAUDE_CODE_ENTRYPOINT"]?.startsWith("sdk-") === true,
  read: readEvent,
  honours,
  write: writeAnswer,
};

type Input = Readonly<Record<string, unknown>>;

/** Modes in which the user has given every approval in advance, or refused it. */
const modesWithoutQuestions: ReadonlySet<unknown> = new Set(["bypassPermissions", "dontAsk"]);

function readEvent(value: unknown): HookEvent | string {
  const input = objectOf(value);
  const framed = frameOf(input, "Claude Code", modesWithoutQuestions.has(input["permission_mode"]));
  if (typeof framed === "string") return framed;
  const { name } = framed;
  // Cursor can run the hooks of Claude Code besides its own, which are the ones that answer it.
  if (input["cursor_version"] !== undefined) return `expected a hook event of Claude Code; this ${name} is of Cursor`;
  switch (name) {
    case "SessionStart":
      // The one event about a compaction that every version sends.
      return { ...framed, type: input["source"] === "compact" ? "compacted" : "session-start" };
    case "SubagentStart":
      return subagentEvent(framed, "subagent-start");
    case "SubagentStop":
      return subagentEvent(framed, "subagent-end");
    case "UserPromptSubmit": {
      const text = textOf(input["prompt"]) ?? "";
      return { ...framed, type: "prompt", text, origin: isAutomaticPrompt(text) ? "automatic" : "person" };
    }
    case "PreToolUse":
    case "PostToolUse":
    case "PostToolUseFailure":
      return callEvent(framed, name, input);
    case "PostToolBatch":
      return { ...framed, type: "turn-end", results: listOf(input["tool_calls"]).flatMap(batchResult) };
    case "Stop":
      return {
        ...framed,
        type: "stop",
        text: textOf(input["last_assistant_message"]) ?? "",
        isContinued: input["stop_hook_active"] === true,
        isWaiting: listOf(input["background_tasks"]).length > 0,
      };
    case "Notification": {
      const kind = input["notification_type"];
      if (kind === "permission_prompt") return { ...framed, type: "waiting", for: "approval" };
      return kind === "idle_prompt" ? { ...framed, type: "waiting", for: "nothing" } : { ...framed, type: "other" };
    }
    case "SessionEnd":
      return { ...framed, type: "session-end" };
    default:
      return { ...framed, type: "other" }; // events of newer versions, and those that say nothing here
  }
}

function callEvent(frame: HookFrame, name: string, input: Input): HookEvent | string {
  const call = callWithKind(input);
  if (call === undefined) return `expected tool_name and tool_use_id in a ${name} of Claude Code`;
  if (name === "PreToolUse") return { ...frame, type: "before-call", call };
  if (name === "PostToolUse") {
    const response = input["tool_response"];
    const isInterrupted = objectOf(response)["interrupted"] === true;
    return { ...frame, type: "after-call", call, status: isInterrupted ? "interrupted" : "ok", content: response };
  }
  const content = textOf(input["error"]) ?? "";
  const status: Status = input["is_interrupt"] === true ? "interrupted" : (failureStatus(content) ?? "error");
  return { ...frame, type: "after-call", call, status, content };
}

/** A question waits for a person, who may answer the same each time. */
const kinds: ReadonlyMap<string, ToolKind> = new Map([["AskUserQuestion", "wait"]]);

function callWithKind(input: Input): HookCall | undefined {
  const call = callOf(input);
  return call && { ...call, ...optional("kind", kinds.get(call.tool)) };
}

/** The batch has what the model gets. A call that never ran is only here: its tool or its arguments do not exist. */
function batchResult(value: unknown): readonly HookResult[] {
  const entry = objectOf(value);
  const call = callWithKind(entry);
  const content = entry["tool_response"];
  return call === undefined ? [] : [{ call, content, ...optional("status", failureStatus(content)) }];
}

const nothing: Honours = { deny: false, ask: false, tell: false, stop: false, notify: true };

/**
 * `continue: false` ends the work at the events that say so here. After a failed call it is ignored (seen with
 * 2.1.325), so that a stop waits for the end of the batch. In a subagent it ends the subagent.
 */
function honours({ type }: HookEvent): Honours {
  switch (type) {
    case "before-call":
      return { ...nothing, deny: true, ask: true, tell: true, stop: true };
    case "turn-end":
    case "stop":
      return { ...nothing, tell: true, stop: true };
    case "prompt":
      return { ...nothing, tell: true, stop: true };
    case "after-call":
    case "session-start":
      return { ...nothing, tell: true };
    default:
      return nothing;
  }
}

function writeAnswer({ name, type }: HookEvent, { deny, ask, tell, stop, notify }: HookAnswer): HookOutput {
  const specific = {
    ...(deny === undefined ? {} : { permissionDecision: "deny", permissionDecisionReason: capped(deny) }),
    ...(deny !== undefined || ask === undefined
      ? {}
      : { permissionDecision: "ask", permissionDecisionReason: capped(ask) }),
    ...(tell === undefined ? {} : { additionalContext: capped(tell) }),
  };
  // A prompt that is refused stays with its author; `continue: false` would end the program where it is headless.
  const ending =
    stop === undefined
      ? {}
      : type === "prompt"
        ? { decision: "block", reason: capped(stop) }
        : { continue: false, stopReason: capped(stop) };
  const output = {
    ...ending,
    ...(notify === undefined ? {} : { systemMessage: capped(notify) }),
    ...(Object.keys(specific).length === 0 ? {} : { hookSpecificOutput: { hookEventName: name, ...specific } }),
  };
  return { stdout: Object.keys(output).length === 0 ? "" : JSON.stringify(output), exitCode: 0 };
}
