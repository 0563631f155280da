import { plainDigest, type Status } from "@sheepdog/guardian";
import type { Honours, HookAnswer, HookOutput } from "../hook-answer.ts";
import type { HookContract } from "../hook-contract.ts";
import type { HookCall, HookEvent } from "../hook-event.ts";
import { frameOf, type HookFrame, objectOf, optional, textOf } from "./fields.ts";

/**
 * Command hooks of Gemini CLI, seen with version 0.61.0. `AfterModel` runs for every part of a stream and `PreCompress`
 * before every request, compaction or not, so neither is attached.
 */
export const geminiCliContract: HookContract = {
  agent: "gemini-cli",
  label: "Gemini CLI",
  events: ["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "Notification", "SessionEnd"],
  turnEnd: "last-result",
  howToStop: "press Esc",
  read: readEvent,
  honours,
  write: writeAnswer,
};

type Input = Readonly<Record<string, unknown>>;

function readEvent(value: unknown): HookEvent | string {
  const input = objectOf(value);
  const frame = frameOf(input, "Gemini CLI", false);
  if (typeof frame === "string") return frame;
  const { name } = frame;
  const framed = { ...frame, ...optional("key", textOf(input["timestamp"])) };
  switch (name) {
    case "SessionStart":
      return { ...framed, type: "session-start" };
    case "BeforeAgent": {
      const text = textOf(input["prompt"]) ?? "";
      // The reason with which an AfterAgent was refused comes back as the next prompt.
      return { ...framed, type: "prompt", text, origin: text.startsWith("Sheepdog") ? "automatic" : "person" };
    }
    case "BeforeTool":
    case "AfterTool":
      return callEvent(framed, name, input);
    case "AfterAgent":
      return {
        ...framed,
        type: "stop",
        text: textOf(input["prompt_response"]) ?? "",
        isContinued: input["stop_hook_active"] === true,
        isWaiting: false,
      };
    case "Notification":
      return input["notification_type"] === "ToolPermission"
        ? { ...framed, type: "waiting", for: "approval" }
        : { ...framed, type: "other" };
    case "SessionEnd":
      return { ...framed, type: "session-end" };
    default:
      return { ...framed, type: "other" };
  }
}

function callEvent(frame: HookFrame, name: string, input: Input): HookEvent | string {
  const tool = textOf(input["tool_name"]);
  if (tool === undefined) return `expected tool_name in a ${name} of Gemini CLI`;
  const args = input["tool_input"];
  const call: HookCall = { id: callId(tool, args), tool, args };
  if (name === "BeforeTool") return { ...frame, type: "before-call", call };
  const response = objectOf(input["tool_response"]);
  const error = objectOf(response["error"]);
  const message = textOf(error["message"]);
  if (message !== undefined)
    return { ...frame, type: "after-call", call, status: statusOf(error["type"]), content: message };
  const content = response["llmContent"];
  return { ...frame, type: "after-call", call, status: hasFailedExit(tool, content) ? "error" : "ok", content };
}

/** Gemini CLI does not say the id of a call. The tool and its arguments connect a result with its call. */
function callId(tool: string, args: unknown): string {
  return plainDigest.of(JSON.stringify([tool, args]));
}

const statuses: Readonly<Record<string, Status>> = {
  invalid_tool_params: "invalid-arguments",
  tool_not_registered: "unknown-tool",
};

function statusOf(type: unknown): Status {
  return (typeof type === "string" ? statuses[type] : undefined) ?? "error";
}

/** The shell tool states the exit code in the text. A file that is read may have such a line too. */
function hasFailedExit(tool: string, content: unknown): boolean {
  return tool === "run_shell_command" && typeof content === "string" && /^Exit Code: (?!0$)-?\d+$/m.test(content);
}

const nothing: Honours = { deny: false, ask: false, tell: false, stop: false, notify: false };

/**
 * `ask` is not used: where nobody can answer, as with `gemini -p`, Gemini CLI waits for ever, and an event does not say
 * whether somebody can.
 */
function honours({ type }: HookEvent): Honours {
  switch (type) {
    case "before-call":
      return { ...nothing, deny: true, stop: true, notify: true };
    case "after-call":
    case "prompt":
    case "stop":
      return { ...nothing, tell: true, stop: true, notify: true };
    case "session-start":
      return { ...nothing, tell: true, notify: true };
    default:
      return nothing; // advisory events, whose output changes nothing
  }
}

/** Stdout is always one JSON object: any other text would be shown to the user as a message. */
function writeAnswer(event: HookEvent, { deny, tell, stop, notify }: HookAnswer): HookOutput {
  const output = {
    ...(stop === undefined ? {} : { continue: false, stopReason: stop }),
    ...(deny === undefined ? {} : { decision: "deny", reason: deny }),
    ...(tell === undefined || stop !== undefined ? {} : told(event, tell)),
    ...optional("systemMessage", notify),
  };
  return { stdout: JSON.stringify(output), exitCode: 0 };
}

/**
 * Context beside the error of a failed call is lost, so the error is replaced with itself and the message. An agent
 * that wants to end continues with the reason of a refusal as its prompt.
 */
function told(event: HookEvent, tell: string): object {
  if (event.type === "stop") return { decision: "deny", reason: tell };
  const isLost = event.type === "after-call" && event.status !== "ok" && !hasFailedExit(event.call.tool, event.content);
  if (isLost) return { decision: "deny", reason: `${String(event.content)}\n\n${tell}` };
  return { hookSpecificOutput: { hookEventName: event.name, additionalContext: tell } };
}
