import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import { listField, objectField } from "../fields.ts";
import { runItem, skip } from "../read-item.ts";
import type { DocumentReader, LineReader } from "../reader.ts";
import { createStream } from "./stream.ts";

const frame = { format: "claude-stream", label: "Claude stream-json" } as const;

/** The output of `claude -p --output-format stream-json`, or of the Agent SDK with one message a line. */
export const claudeStreamReader: LineReader = {
  ...frame,
  type: "lines",
  recognizes: (lines) => lines.some(isStreamLine) && !lines.some(isOtherAgents),
  open: createStream,
};

/**
 * The same messages as one list, as CI actions keep them, or only the last one, as `--output-format json` prints it.
 */
export const claudeStreamDocumentReader: DocumentReader = {
  ...frame,
  type: "document",
  recognizes: (document) => {
    const messages = (Array.isArray(document) ? document : [document]).filter(isObject);
    return messages.some(isStreamLine) && !messages.some(isOtherAgents);
  },
  *read(document, file) {
    const stream = createStream(file, "entry");
    for (const [index, message] of (Array.isArray(document) ? document : [document]).entries())
      if (isObject(message)) stream.line(message, index + 1);
    const runs = stream.end();
    for (const run of runs) yield runItem(run, file);
    if (runs.length === 0) yield skip(file, 0, `it is a ${frame.label} recording without a reply of a model`);
  },
};

function isStreamLine(line: JsonObject): boolean {
  const { type, subtype, message, session_id: session } = line;
  if (type === "system") return subtype === "init" && typeof session === "string" && Array.isArray(line["tools"]);
  if (type === "result") return typeof line["total_cost_usd"] === "number" && typeof line["num_turns"] === "number";
  if (type === "stream_event") return typeof session === "string" && isObject(line["event"]);
  if (type !== "assistant" || !isObject(message) || typeof line["sessionId"] === "string") return false;
  const isReply = Array.isArray(message["content"]) && "input_tokens" in objectField(message["usage"]);
  return isReply && (typeof session === "string" || "parent_tool_use_id" in line);
}

/** Cursor prints the same kinds of lines with its own form of calls; sessions of Claude Code have other fields. */
function isOtherAgents({ type, sessionId, message }: JsonObject): boolean {
  if (type === "tool_call") return true;
  return typeof sessionId === "string" && listField(objectField(message)["content"]).length > 0;
}
