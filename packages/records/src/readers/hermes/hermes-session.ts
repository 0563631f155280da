import { sha256 } from "../../platform/sha256.ts";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject, parseJson } from "../../trajectory/parse-json.ts";
import type { RecordedRun, RecordedUsage } from "../../trajectory/recorded-run.ts";
import { listField, objectField, optional, textField, timeField } from "../fields.ts";
import { createPersonMessages } from "../person-messages.ts";
import { recordedRun } from "../recorded-run.ts";
import { createStepList } from "../step-list.ts";
import { hermesResult } from "./hermes-result.ts";

/** What hermes records about a session. */
export interface HermesInfo {
  readonly id: string;
  readonly parent: string | undefined;
  /** Whether no person wrote its prompts. */
  readonly isAutomatic: boolean;
  readonly directory: string | undefined;
  readonly model: string | undefined;
  readonly provider: string | undefined;
}

/** Collects the messages of a session in their order. */
export interface HermesSession {
  /** Returns the kind of a message that is not known. */
  message(message: JsonObject, entry: string): string | undefined;
  /** The run; undefined without a reply of a model. `usage` is that of the whole session: hermes keeps no other. */
  run(usage: RecordedUsage | undefined): RecordedRun | undefined;
}

const silentRoles = new Set(["system", "developer", "session_meta"]);

/** Creates an empty session. */
export function createHermesSession(info: HermesInfo): HermesSession {
  const steps = createStepList();
  const ids = new Map<string, string>(); // of calls, by their `call_id`
  const messages = new Set<string>();
  let rewoundMessages = 0;
  let task: string | undefined;
  const prompts = createPersonMessages();

  function addReply(message: JsonObject, entry: string): void {
    const written = listField(message["tool_calls"]).filter(isObject);
    const text = contentText(message["content"]);
    if (text === "" && written.length === 0) return; // the request failed
    const at = optional("at", timeField(message["timestamp"]));
    if (message["active"] === 0 && message["compacted"] !== 1) rewoundMessages++;
    steps.reply({
      text,
      ...optional("model", info.model),
      ...at,
      ...prompts.take(),
      position: { entry },
    });
    for (const call of written) {
      const { name, arguments: args } = objectField(call["function"]);
      const id = textField(call["id"]) ?? textField(call["call_id"]);
      if (id !== undefined) ids.set(String(call["call_id"]), id);
      steps.call({ id, name: textField(name) ?? "unknown", args: parsedArguments(args), ...at, position: { entry } });
    }
  }

  function addPrompt(message: JsonObject): void {
    if (typeof message["display_kind"] === "string") return; // a reminder of hermes
    const text = textField(contentText(message["content"]));
    if (text === undefined) return;
    task ??= text;
    if (!info.isAutomatic) prompts.add(text);
  }

  return {
    message(message, entry) {
      const { role, tool_call_id } = message;
      if (isCopy(message, messages)) return undefined;
      if (isSummary(message)) steps.compact();
      else if (role === "assistant") addReply(message, entry);
      else if (role === "user") addPrompt(message);
      else if (role === "tool") {
        const id = textField(tool_call_id);
        steps.result(ids.get(String(id)) ?? id, hermesResult(contentText(message["content"])));
      } else if (!silentRoles.has(String(role))) return `message of ${String(role)}`;
      return undefined;
    },
    run(usage) {
      // Nothing says when the tokens were spent; at the first step they never seem to be spent on a loop.
      const list = steps.steps().map((step, index) => (index === 0 ? { ...step, ...optional("usage", usage) } : step));
      const withoutUsage = usage === undefined ? list.length : 0; // the tokens of a session are those of all replies
      const { id, model, provider, directory: project, parent } = info;
      const counting = steps.counting({ rewoundMessages, withoutUsage });
      return recordedRun(list, { id, source: "hermes", model, provider, task, project, parent, counting });
    },
  };
}

/** When hermes compacts a session, it writes the messages that it keeps once more. */
function isCopy(message: JsonObject, earlier: Set<string>): boolean {
  const { role, timestamp, tool_call_id, content, tool_calls } = message;
  const key = sha256.of(JSON.stringify([role, timestamp, tool_call_id, content, tool_calls]));
  if (earlier.has(key)) return true;
  earlier.add(key);
  return false;
}

function isSummary({ _compressed_summary, content }: JsonObject): boolean {
  return _compressed_summary === 1 || /^\s*\[CONTEXT (?:COMPACTION|SUMMARY)/.test(contentText(content));
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return listField(content)
    .filter(isObject)
    .flatMap((part) => textField(part["text"]) ?? [])
    .join("\n");
}

function parsedArguments(value: unknown): unknown {
  const parsed = typeof value === "string" ? parseJson(value) : undefined;
  return parsed?.ok ? parsed.value : value;
}
