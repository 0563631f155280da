import { sha256 } from "../../platform/sha256.ts";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { CountingNotes, RecordedRun } from "../../trajectory/recorded-run.ts";
import { objectField, optional, textField, timeField } from "../fields.ts";
import { mostFrequent } from "../main-model.ts";
import { createPersonMessages } from "../person-messages.ts";
import type { LineResult } from "../reader.ts";
import { recordedRun } from "../recorded-run.ts";
import { createStepList } from "../step-list.ts";
import { createEntryTree } from "./entry-tree.ts";
import { isAutomaticPrompt, isOpenClaw, isSyntheticReply } from "./openclaw.ts";
import { failureStatus, messageCalls, messageText, messageUsage } from "./pi-message.ts";

/** Collects the lines of a session. */
export interface PiSession {
  add(value: JsonObject, line: number): LineResult;
  runs(): readonly RecordedRun[];
}

/** Kinds of lines that hold nothing of a run: settings, names, and the progress in the output of `--mode json`. */
const silentKinds = new Set([
  ...["model_change", "thinking_level_change", "custom", "custom_message", "label", "session_info", "title", "leaf"],
  ...["agent_start", "agent_end", "turn_start", "turn_end", "message_start", "message_update", "queue_update"],
  ...["tool_execution_start", "tool_execution_update", "tool_execution_end", "auto_retry_start", "auto_retry_end"],
  ...["auto_compaction_start", "compaction_start", "branch_summary"],
]);
const compactions = new Set(["compaction", "auto_compaction_end", "compaction_end"]);
/** Messages that are neither a prompt nor a reply, such as a command that a person ran. */
const silentRoles = new Set(["bashExecution", "custom", "hookMessage", "branchSummary", "compactionSummary", "system"]);

/** Creates an empty session. Its steps are in the order of the file, also those of branches that were left. */
export function createPiSession(file: string): PiSession {
  const steps = createStepList();
  const tree = createEntryTree();
  const replyIds: string[] = [];
  const providers: string[] = [];
  const requests = new Set<string>();
  let header: JsonObject = {};
  let task: string | undefined;
  let outcome: string | undefined;
  let ofOpenClaw = false;
  const messages = createPersonMessages();
  let syntheticReplies = 0;
  let repeatedUsage = 0;
  let withoutUsage = 0;

  function addReply(message: JsonObject, line: number, entryId: string | undefined): void {
    const { content, model, provider, stopReason, timestamp } = message;
    if (isSyntheticReply(message)) return void syntheticReplies++;
    const usage = messageUsage(message, entryId);
    const calls = messageCalls(content);
    const text = messageText(content);
    outcome = stopReason === "error" || stopReason === "aborted" ? stopReason : undefined;
    if (usage === undefined && calls.length === 0 && text === "") return; // the request failed
    const key = usage === undefined ? undefined : sha256.of(JSON.stringify([usage, content])); // ids may not be unique
    if (key !== undefined && requests.has(key)) return void repeatedUsage++;
    if (key !== undefined) requests.add(key);
    if (usage === undefined) withoutUsage++;
    if (typeof provider === "string") providers.push(provider);
    if (entryId !== undefined) replyIds.push(entryId);
    const at = timeField(timestamp);
    steps.reply({
      text,
      ...optional("model", textField(model)),
      ...optional("at", at),
      ...optional("usage", usage),
      ...messages.take(),
      position: { line },
    });
    for (const { id, name, args } of calls) steps.call({ id, name, args, ...optional("at", at), position: { line } });
  }

  function addPrompt(content: unknown): void {
    const text = messageText(content);
    if (isAutomaticPrompt(text)) return;
    messages.add(text);
    task ??= textField(text);
  }

  function addResult(message: JsonObject, line: number): LineResult {
    const { toolCallId, toolName, content, isError, details, timestamp } = message;
    const result = messageText(content);
    // OpenClaw answers with the failure of a tool as an ordinary result.
    const isFailureReport = objectField(details)["status"] === "error";
    const hasFailed = isFailureReport || (typeof isError === "boolean" ? isError : null);
    const status = hasFailed === true ? failureStatus(result) : undefined;
    const id = textField(toolCallId);
    const outcome = { result, isError: hasFailed, ...optional("status", status) };
    const at = timeField(timestamp);
    if (steps.result(id, { ...outcome, ...optional("endedAt", at) }, textField(toolName))) return "read";
    // OpenClaw removes calls that cannot be executed from a reply, and keeps their results.
    if (typeof toolName !== "string") return { malformed: "this is the result of a call that is not in the recording" };
    const name = textField(toolName) ?? "unnamed tool";
    steps.call({ id, name, args: null, ...optional("at", at), position: { line } }).end(outcome);
    return "read";
  }

  function addMessage(value: JsonObject, line: number): LineResult {
    const { message, id } = value;
    if (!isObject(message)) return { malformed: "message is missing; it must be an object" };
    const { role } = message;
    if (role === "assistant") addReply(message, line, textField(id));
    else if (role === "user") addPrompt(message["content"]);
    else if (role === "toolResult") return addResult(message, line);
    else if (typeof role !== "string" || !silentRoles.has(role)) return { unknown: `message of ${String(role)}` };
    return "read";
  }

  function counting(): CountingNotes | undefined {
    const branch = tree.activeBranch();
    const rewoundMessages = replyIds.filter((id) => !branch.has(id)).length;
    return steps.counting({ rewoundMessages, repeatedUsage, syntheticReplies, withoutUsage });
  }

  return {
    add(value, line) {
      const { type, id, parentId } = value;
      ofOpenClaw ||= isOpenClaw(value);
      if (typeof type !== "string") return { unknown: "a line without a type" };
      if (type !== "session" && typeof id === "string") tree.add(id, textField(parentId));
      if (type === "message" || type === "message_end") return addMessage(value, line);
      if (type === "session") {
        if (header["id"] === undefined) header = value;
        return "read";
      }
      if (compactions.has(type)) {
        if (type === "compaction" || isObject(value["result"])) steps.compact();
        return "read";
      }
      return silentKinds.has(type) ? "read" : { unknown: type };
    },
    runs() {
      const run = recordedRun(steps.steps(), {
        id: textField(header["id"]) ?? file,
        source: ofOpenClaw ? "openclaw" : "pi",
        provider: mostFrequent(providers),
        task,
        outcome,
        project: textField(header["cwd"]),
        counting: counting(),
      });
      return run === undefined ? [] : [run];
    },
  };
}
