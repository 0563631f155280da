import { basename } from "node:path";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import { clipText } from "../clip.ts";
import { countWithoutUsage } from "../counting-notes.ts";
import { objectField, optional, textField, timeField } from "../fields.ts";
import { callStatus } from "../gemini-cli/call-status.ts";
import { geminiUsage } from "../gemini-cli/gemini-tokens.ts";
import { functionCalls, functionResponses, partsText } from "../gemini-cli/parts.ts";
import { areMost } from "../most-lines.ts";
import { createPersonMessages } from "../person-messages.ts";
import type { LineParser, LineReader, LineResult } from "../reader.ts";
import { recordedRun } from "../recorded-run.ts";
import { createStepList } from "../step-list.ts";

/** Reads the chats of Qwen Code: `~/.qwen/projects/<project>/chats/*.jsonl`. */
export const qwenReader: LineReader = {
  type: "lines",
  format: "qwen-code",
  label: "Qwen Code",
  recognizes: (lines) => lines.some(isRecord) && areMost(lines, hasIds),
  open: openChat,
};

/** A record has the parts of the Gemini API; those of Claude Code, which it resembles, have `content`. */
function isRecord(record: JsonObject): boolean {
  const isSystem = record["type"] === "system" && isObject(record["systemPayload"]);
  return hasIds(record) && (Array.isArray(objectField(record["message"])["parts"]) || isSystem);
}

function hasIds({ uuid, parentUuid, sessionId }: JsonObject): boolean {
  return typeof uuid === "string" && parentUuid !== undefined && typeof sessionId === "string";
}

/** Messages of the user that Qwen Code wrote itself. */
const automaticSubtypes: ReadonlySet<unknown> = new Set([
  "notification",
  "cron",
  "goal_runtime",
  "agent_bootstrap",
  "agent_launch_prompt",
  "agent_retry",
]);

const recordTypes: ReadonlySet<unknown> = new Set(["user", "assistant", "tool_result", "system"]);

function openChat(file: string): LineParser {
  const steps = createStepList();
  let first: JsonObject = {};
  let task: string | undefined;
  let parent: string | undefined;
  let isSidechain = false;
  let marks: { readonly compacted?: true } = {};
  const prompts = createPersonMessages();
  let rewinds = 0;

  function assistant(record: JsonObject, line: number): void {
    const { parts } = objectField(record["message"]);
    const text = partsText(parts);
    const calls = functionCalls(parts);
    const usage = recordUsage(record);
    if (usage === undefined && text === "" && calls.length === 0) return;
    const at = timeField(record["timestamp"]);
    steps.reply({
      text,
      position: { line },
      ...optional("model", textField(record["model"])),
      ...optional("at", at),
      ...optional("usage", usage),
      ...prompts.take(),
      ...marks,
    });
    marks = {};
    for (const call of calls) steps.call({ ...call, position: { line }, ...optional("at", at) });
  }

  function toolResult(record: JsonObject): void {
    const outcome = objectField(record["toolCallResult"]);
    const child = textField(objectField(outcome["resultDisplay"])["agentId"]);
    const endedAt = optional("endedAt", timeField(record["timestamp"]));
    for (const { id, name, result, isError } of functionResponses(objectField(record["message"])["parts"])) {
      const callId = id ?? textField(outcome["callId"]);
      const status = outcome["status"] ?? (isError ? "error" : undefined);
      const ended = status === undefined ? { isError: null } : callStatus(status, result);
      steps.result(callId, { result, ...ended, ...endedAt, ...optional("child", child) }, name);
    }
  }

  function user(record: JsonObject): void {
    const text = textField(partsText(objectField(record["message"])["parts"]).trim());
    if (text === undefined) return;
    const shown = textField(objectField(record["systemPayload"])["displayText"]);
    task ??= clipText(shown ?? text);
    if (!automaticSubtypes.has(record["subtype"]) && !isSidechain) prompts.add(shown ?? text);
  }

  function system(record: JsonObject): void {
    const payload = objectField(record["systemPayload"]);
    if (record["subtype"] === "chat_compression") marks = { ...marks, compacted: true };
    if (record["subtype"] === "parent_session") parent = textField(payload["parentSessionId"]);
    if (record["subtype"] === "rewind") rewinds++;
  }

  function line(record: JsonObject, number: number): LineResult {
    const { type } = record;
    if (!recordTypes.has(type)) return { unknown: textField(type) ?? "line without a type" };
    if (first["sessionId"] === undefined) first = record;
    if (record["isSidechain"] === true) isSidechain = true;
    if (type === "assistant") assistant(record, number);
    else if (type === "tool_result") toolResult(record);
    else if (type === "user") user(record);
    else system(record);
    return "read";
  }

  return {
    line,
    end() {
      const all = steps.steps();
      const session = textField(first["sessionId"]) ?? basename(file);
      const agent = isSidechain ? textField(first["agentId"]) : undefined;
      const run = recordedRun(all, {
        id: agent ?? session,
        source: "qwen-code",
        task,
        project: textField(first["cwd"]),
        parent: agent === undefined ? parent : session,
        counting: steps.counting({ rewoundMessages: rewinds, withoutUsage: countWithoutUsage(all) }),
      });
      return run === undefined ? [] : [run];
    },
  };
}

/** A forked session copies records with their uuid. */
function recordUsage({ usageMetadata, uuid }: JsonObject): ReturnType<typeof geminiUsage> {
  const counts = objectField(usageMetadata);
  const usage = geminiUsage({
    prompt: counts["promptTokenCount"],
    candidates: counts["candidatesTokenCount"],
    cached: counts["cachedContentTokenCount"],
    thoughts: counts["thoughtsTokenCount"],
    toolPrompt: counts["toolUsePromptTokenCount"],
    total: counts["totalTokenCount"],
  });
  const id = textField(uuid);
  return usage === undefined || id === undefined ? usage : { ...usage, request: `qwen-code:${id}` };
}
