import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import type { RecordedPosition } from "../../trajectory/recorded-run.ts";
import { contentBlocks, contentText, toolResult } from "../anthropic/content.ts";
import { promptText } from "../claude-code/person-text.ts";
import { requestKey } from "../claude-code/request-key.ts";
import { textField, timeField } from "../fields.ts";
import type { LineParser, LineResult } from "../reader.ts";
import { createStreamSession, type StreamSession } from "./stream-session.ts";

/** Kinds of lines without anything of a run. */
const plainKinds: ReadonlySet<unknown> = new Set([
  "auth_status",
  "control_cancel_request",
  "control_request",
  "control_response",
  "keep_alive",
  "prompt_suggestion",
  "rate_limit_event",
  "streamlined_text",
  "streamlined_tool_use_summary",
  "tool_progress",
  "tool_use_summary",
]);

/** Reads the messages of one or more sessions. A position is a line, or an entry of a document. */
export function createStream(file: string, unit: "line" | "entry" = "line"): LineParser {
  const sessions = new Map<string, StreamSession>();
  let newest: StreamSession | undefined;

  function sessionOf({ session_id: id }: JsonObject): StreamSession {
    const name = textField(id) ?? newest?.id ?? file;
    const known = sessions.get(name) ?? createStreamSession(name);
    sessions.set(name, known);
    newest = known;
    return known;
  }

  function position(number: number): RecordedPosition {
    return unit === "line" ? { line: number } : { entry: `message ${number}` };
  }

  function reply(line: JsonObject, number: number): LineResult {
    const { message, parent_tool_use_id: parent, request_id: requestId, timestamp, error } = line;
    if (!isObject(message)) return { malformed: "this reply has no message" };
    if (textField(error) !== undefined && message["model"] === undefined) return "read"; // an error of the API as text
    const request = requestKey(message, requestId);
    sessionOf(line).reply(textField(parent), {
      message,
      request,
      at: timeField(timestamp),
      position: position(number),
    });
    return "read";
  }

  function userMessage(line: JsonObject): LineResult {
    const { message, parent_tool_use_id: parent, tool_use_result: details, isSynthetic } = line;
    if (!isObject(message)) return { malformed: "this message of the user has no content" };
    const { content } = message;
    const thread = sessionOf(line).thread(textField(parent));
    const results = contentBlocks(content).filter((block) => toolResult(block) !== undefined);
    thread.results({ content, ...(results.length === 1 ? { details } : {}) });
    if (results.length > 0 || isSynthetic === true) return "read";
    const text = contentText(content);
    const own = textField(parent) === undefined ? promptText(text) : text;
    if (own !== undefined && own !== "") thread.prompt(own, textField(parent) === undefined);
    return "read";
  }

  function system(line: JsonObject): LineResult {
    const { subtype, cwd } = line;
    const session = sessionOf(line);
    if (subtype === "init") session.init(textField(cwd));
    if (subtype === "compact_boundary") session.thread(undefined).compacted();
    return "read";
  }

  return {
    line(line, number) {
      const { type } = line;
      if (type === "assistant") return reply(line, number);
      if (type === "user") return userMessage(line);
      if (type === "system") return system(line);
      if (type === "result") sessionOf(line).result(line, position(number));
      else if (type === "stream_event") sessionOf(line).event(textField(line["parent_tool_use_id"]), line["event"]);
      else if (!plainKinds.has(type)) return { unknown: textField(type) ?? "a line without a type" };
      return "read";
    },
    end: () => [...sessions.values()].flatMap((session) => session.runs()),
  };
}
