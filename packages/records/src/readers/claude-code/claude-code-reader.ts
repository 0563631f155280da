import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import { objectField } from "../fields.ts";
import type { LineReader } from "../reader.ts";
import { createSession } from "./session.ts";

/** Session files of Claude Code, and the files of its subagents. */
export const claudeCodeReader: LineReader = {
  type: "lines",
  format: "claude-code",
  label: "Claude Code",
  recognizes: (lines) =>
    lines.some(isMessage) ||
    (lines.some(isSideLine) && !lines.some(({ type }) => type === "user" || type === "assistant")),
  open: createSession,
};

/** A message as Claude Code records it. Forks of other agents keep `parts` in place of `content`. */
function isMessage({ type, sessionId, uuid, isSidechain, message }: JsonObject): boolean {
  if (type !== "user" && type !== "assistant") return false;
  const isEntry = typeof sessionId === "string" && (typeof uuid === "string" || isSidechain !== undefined);
  if (!isEntry || !isObject(message)) return false;
  return typeof message["content"] === "string" || Array.isArray(message["content"]);
}

/** A line that other agents do not write, of a file without a message in its first lines. */
function isSideLine(line: JsonObject): boolean {
  const { type, leafUuid, snapshot, operation, sessionId } = line;
  if (type === "summary") return typeof leafUuid === "string";
  if (type === "file-history-snapshot") return isObject(snapshot);
  if (type === "queue-operation") return typeof operation === "string" && typeof sessionId === "string";
  const data = objectField(line["data"] ?? line["attachment"]);
  return (type === "progress" || type === "attachment") && typeof sessionId === "string" && "type" in data;
}
