import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedRun } from "../../trajectory/recorded-run.ts";
import { contentBlocks, contentText, toolResult } from "../anthropic/content.ts";
import { objectField, optional, textField, timeField } from "../fields.ts";
import type { LineParser, LineResult } from "../reader.ts";
import { childOfResult, connectByPrompt, taskNotification } from "./agent-calls.ts";
import { refusalReason } from "./call-outcome.ts";
import { personText, promptText } from "./person-text.ts";
import { requestKey } from "./request-key.ts";
import { createSubagents, type Subagent } from "./subagents.ts";
import { createThread, type Thread } from "./thread.ts";

const source = "claude-code";

/** Kinds of lines without anything of a run. */
const plainKinds: ReadonlySet<unknown> = new Set([
  "agent-color",
  "agent-name",
  "agent-setting",
  "ai-title",
  "api-request",
  "api-request-blob",
  "api-request-shape",
  "atis-latch",
  "attribution-snapshot",
  "bridge-session",
  "content-replacement",
  "cost-state",
  "custom-title",
  "file-history-delta",
  "file-history-snapshot",
  "frame-link",
  "last-prompt",
  "mode",
  "permission-mode",
  "pr-link",
  "relocated",
  "summary",
  "tag",
  "tools-used",
  "worktree-state",
]);

/** Reads the lines of a session, with its subagents if they are in the same file, or of one subagent. */
export function createSession(file: string): LineParser {
  const main = createThread();
  const subagents = createSubagents();
  const owners = new Map<string, Thread>(); // of requests
  let session: string | undefined;
  let project: string | undefined;

  function reply(line: JsonObject, number: number, thread: Thread): LineResult {
    const { message, requestId, timestamp, costUSD: costUsd } = line;
    if (!isObject(message)) return { malformed: "this reply has no message" };
    const request = requestKey(message, requestId);
    const entry = { message, request, at: timeField(timestamp), costUsd, position: { line: number } };
    const owner = request === undefined ? undefined : owners.get(request);
    if (owner !== undefined && owner !== thread && owner.has(entry)) {
      thread.copied();
      return "read";
    }
    if (request !== undefined) owners.set(request, thread);
    thread.reply(entry);
    return "read";
  }

  function userMessage(line: JsonObject, thread: Thread): LineResult {
    const { message, toolUseResult: details, toolDenialKind: denial, isCompactSummary, sessionId, timestamp } = line;
    if (!isObject(message)) return { malformed: "this message of the user has no content" };
    const { content } = message;
    if (isCompactSummary === true) thread.compacted();
    const results = contentBlocks(content).flatMap((block) => toolResult(block) ?? []);
    const at = timeField(timestamp);
    const child = childOfResult(details, textField(sessionId) ?? session);
    thread.results({ content, denial: textField(denial), at, child, ...(results.length === 1 ? { details } : {}) });
    if (thread === main) notify(contentText(content));
    for (const reason of results.flatMap((result) => refusalReason(result) ?? []))
      thread.prompt(reason, thread === main);
    if (results.length > 0) return "read";
    const text = thread === main ? personText(line) : contentText(content);
    if (text !== undefined && text !== "") thread.prompt(text, thread === main);
    return "read";
  }

  /** A notification that a subagent in the background has ended. */
  function notify(text: unknown): void {
    const notification = taskNotification(text, session);
    if (notification !== undefined) main.connect(notification.call, notification.child);
  }

  /** A message that was waiting while the model worked. */
  function attachment(line: JsonObject): LineResult {
    const { type, prompt, commandMode, origin, isMeta } = objectField(line["attachment"]);
    if (type !== "queued_command") return "read";
    notify(prompt);
    const isPerson = (commandMode === undefined || commandMode === "prompt") && isMeta !== true;
    const { kind } = objectField(origin);
    const text = isPerson && (kind === undefined || kind === "human") ? promptText(contentText(prompt)) : undefined;
    if (text !== undefined) main.prompt(text, true);
    return "read";
  }

  /** The progress of a subagent, which repeats most lines of its own file. */
  function progress(line: JsonObject, number: number): LineResult {
    const { type, agentId, message } = objectField(line["data"]);
    const agent = textField(agentId);
    if (type !== "agent_progress" || agent === undefined || !isObject(message)) return "read";
    const subagent = subagents.excerpt(agent, { session, call: textField(line["parentToolUseID"]) });
    return entry(message, number, subagent.thread);
  }

  function entry(line: JsonObject, number: number, thread: Thread): LineResult {
    if (line["type"] === "assistant") return reply(line, number, thread);
    if (line["type"] === "user") return userMessage(line, thread);
    return "read";
  }

  function system(line: JsonObject, thread: Thread): LineResult {
    const { subtype } = line;
    if (subtype === "compact_boundary" || subtype === "microcompact_boundary") thread.compacted();
    return "read";
  }

  function threadOf(line: JsonObject): Thread {
    if (line["isSidechain"] === true) return subagents.ofLine(line).thread;
    session = textField(line["sessionId"]) ?? session;
    return main;
  }

  function runOf({ id, thread, isExcerpt, session: parent }: Subagent): RecordedRun | undefined {
    const facts = { id, source, ...optional("project", project), ...optional("parent", parent ?? session) };
    return thread.run({ ...facts, ...(isExcerpt ? { isExcerpt } : {}) });
  }

  return {
    line(line, number) {
      const { type, cwd } = line;
      if (type === "assistant" || type === "user" || type === "system") {
        project ??= textField(cwd);
        const thread = threadOf(line);
        return type === "system" ? system(line, thread) : entry(line, number, thread);
      }
      if (type === "progress") return progress(line, number);
      if (type === "attachment") return attachment(line);
      if (type === "queue-operation") notify(line["content"]);
      else if (!plainKinds.has(type)) return { unknown: textField(type) ?? "a line without a type" };
      return "read";
    },
    end() {
      const all = subagents.all();
      connectByPrompt(main, all);
      for (const { call, id } of all) if (call !== undefined) main.connect(call, { child: id });
      const run = main.run({ id: session ?? file, source, ...optional("project", project) });
      return [run, ...all.map(runOf)].filter((each) => each !== undefined);
    },
  };
}
