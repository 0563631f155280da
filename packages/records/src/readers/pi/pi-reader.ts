import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import { textField } from "../fields.ts";
import type { LineReader } from "../reader.ts";
import { createPiSession } from "./pi-session.ts";

/**
 * Sessions of pi and of OpenClaw, which is built on it: a header, then entries that form a tree. Also the output of
 * `pi --mode json`, whose lines have no ids.
 */
export const piReader: LineReader = {
  type: "lines",
  format: "pi",
  label: "pi",
  recognizes: (lines) => lines.some(isHeader) || (lines.some(isMessage) && !lines.some(isDroidHeader)),
  open: (file) => {
    const session = createPiSession(file);
    return { line: (value, line) => session.add(value, line), end: () => session.runs() };
  },
};

function isHeader({ type, id, timestamp, cwd, version }: JsonObject): boolean {
  const isSession = type === "session" && textField(id) !== undefined && textField(timestamp) !== undefined;
  return isSession && (typeof cwd === "string" || typeof version === "number");
}

/** Droid of Factory writes much the same messages below another header, and neither models nor tokens. */
function isDroidHeader({ type }: JsonObject): boolean {
  return type === "session_start";
}

/** A session whose header is damaged. */
function isMessage({ type, parentId, message }: JsonObject): boolean {
  if (type !== "message" || parentId === undefined || !isObject(message)) return false;
  return ["user", "assistant", "toolResult"].some((role) => role === message["role"]);
}
