import { basename } from "node:path";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import { textField } from "../fields.ts";
import type { LineReader } from "../reader.ts";
import { createGooseSession, type GooseSession } from "./goose-session.ts";
import { sessionUsage } from "./goose-usage.ts";

/** Reads the sessions of earlier versions of goose: a line about the session, then one for each message. */
export const gooseLinesReader: LineReader = {
  type: "lines",
  format: "goose",
  label: "goose",
  recognizes: (lines) =>
    lines.some(isHead) && lines.every((line) => isHead(line) || isMessage(line) || !("role" in line)),
  open(file) {
    let head: JsonObject = {};
    let session: GooseSession | undefined;
    const sessionId = () => textField(head["id"]) ?? basename(file, ".jsonl");
    return {
      line(value, line) {
        if (!isMessage(value)) {
          if (!isHead(value)) return { unknown: "a line that is no message" };
          if (session === undefined) head = value;
          return "read";
        }
        session ??= createGooseSession({ id: sessionId(), directory: textField(head["working_dir"]) });
        const [kind] = session.message(value, { line });
        return kind === undefined ? "read" : { unknown: kind };
      },
      end() {
        const usage = sessionUsage(head, sessionId());
        const run = session?.run(usage === undefined ? [] : [{ usage }]);
        return run === undefined ? [] : [run];
      },
    };
  },
};

/** The first line. Its fields differ from version to version. */
function isHead(line: JsonObject): boolean {
  if ("role" in line || !("working_dir" in line || "description" in line)) return false;
  return "message_count" in line || "accumulated_total_tokens" in line || "extension_data" in line;
}

function isMessage(line: JsonObject): boolean {
  return typeof line["role"] === "string" && typeof line["created"] === "number" && Array.isArray(line["content"]);
}
