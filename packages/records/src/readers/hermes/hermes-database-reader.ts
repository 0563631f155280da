import type { SqliteDatabase } from "../../platform/sqlite.ts";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject, parseJson } from "../../trajectory/parse-json.ts";
import type { RecordedRun, RecordedUsage } from "../../trajectory/recorded-run.ts";
import { readSessions, rowsOf, type SessionProblem } from "../database-sessions.ts";
import { dollarsField, objectField, optional, textField, tokensField } from "../fields.ts";
import type { DatabaseReader } from "../reader.ts";
import { createHermesSession, type HermesInfo } from "./hermes-session.ts";

/** Reads the database of hermes-agent, `state.db`. */
export const hermesDatabaseReader: DatabaseReader = {
  type: "database",
  format: "hermes",
  label: "hermes",
  recognizes: (tables) => tables.has("sessions") && tables.has("messages") && tables.has("state_meta"),
  read: (database, file) =>
    readSessions({
      ...{ database, file, sql: "SELECT id FROM sessions ORDER BY started_at, id", label: "hermes" },
      readSession: (id, report) => readSession(database, id, report),
    }),
};

function readSession(database: SqliteDatabase, id: string, report: SessionProblem): RecordedRun | undefined {
  const [row = {}] = rowsOf(database, "SELECT * FROM sessions WHERE id = ?", id);
  const session = createHermesSession(infoOf(database, row, id));
  const sql = "SELECT *, CAST(content AS BLOB) AS bytes FROM messages WHERE session_id = ? ORDER BY id";
  for (const message of database.prepare(sql).iterate(id)) {
    const columns = objectField(message);
    const entry = `message ${String(columns["id"])}`;
    const calls = json(columns["tool_calls"]);
    if (calls === "damaged") report.damaged(`${entry}: tool_calls is not JSON`);
    const content = decodedContent(columns);
    const kind = session.message({ ...columns, content, tool_calls: calls }, entry);
    if (kind !== undefined) report.unknown(kind);
  }
  return session.run(sessionUsage(row, id));
}

/** Reasons for the end of a session that another one continues, which is then no subagent. */
const continuedReasons = new Set([
  ...["compression", "branched", "session_reset", "session_switch", "idle", "daily", "suspended"],
  "resume_pending_expired",
]);
/** Sessions whose prompts no person wrote. */
const automaticSources = new Set(["cron", "tool", "subagent", "delegate", "batch"]);

function infoOf(database: SqliteDatabase, row: JsonObject, id: string): HermesInfo {
  const parentId = textField(row["parent_session_id"]);
  const marks = objectField(json(row["model_config"]));
  const [parentRow = {}] =
    parentId === undefined ? [] : rowsOf(database, "SELECT end_reason FROM sessions WHERE id = ?", parentId);
  const isContinued = continuedReasons.has(String(parentRow["end_reason"]));
  const isBranch = "_branched_from" in marks || "_reset_from" in marks;
  const parent = "_delegate_from" in marks || !(isContinued || isBranch) ? parentId : undefined;
  return {
    id,
    parent,
    isAutomatic: parent !== undefined || automaticSources.has(String(row["source"])),
    directory: textField(row["cwd"]),
    model: textField(row["model"]),
    provider: textField(row["billing_provider"]),
  };
}

/** What marks content that is not a text but JSON. A text column is read only up to the NUL in it. */
const JSON_PREFIX = "\0json:";

function decodedContent({ content, bytes }: JsonObject): unknown {
  if (!(bytes instanceof Uint8Array)) return content;
  const text = Buffer.from(bytes).toString("utf8");
  return text.startsWith(JSON_PREFIX) ? json(text.slice(JSON_PREFIX.length)) : text;
}

/** hermes counts the cached tokens beside the input, and the reasoning within the output. */
function sessionUsage(row: JsonObject, request: string): RecordedUsage | undefined {
  const tokens = (name: string) => tokensField(row[`${name}_tokens`]) ?? 0;
  const cacheReadTokens = tokens("cache_read");
  const cacheWriteTokens = tokens("cache_write");
  const inputTokens = tokens("input") + cacheReadTokens + cacheWriteTokens;
  const outputTokens = tokens("output");
  if (inputTokens + outputTokens === 0) return undefined;
  const costUsd = dollarsField(row["actual_cost_usd"]) || dollarsField(row["estimated_cost_usd"]) || undefined;
  return {
    inputTokens,
    ...optional("cacheReadTokens", cacheReadTokens || undefined),
    ...optional("cacheWriteTokens", cacheWriteTokens || undefined),
    outputTokens,
    ...optional("costUsd", costUsd),
    isSum: true,
    request,
  };
}

/** The value of a JSON column; "damaged" when it is none. */
function json(text: unknown): unknown {
  if (typeof text !== "string") return isObject(text) ? text : undefined;
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : "damaged";
}
