import { tableNames } from "../../platform/open-shared-database.ts";
import type { SqliteDatabase } from "../../platform/sqlite.ts";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import { parseJson } from "../../trajectory/parse-json.ts";
import type { RecordedRun } from "../../trajectory/recorded-run.ts";
import { readSessions, rowsOf, type SessionProblem } from "../database-sessions.ts";
import { objectField, textField, timeField } from "../fields.ts";
import type { DatabaseReader } from "../reader.ts";
import { createGooseSession, type GooseUsage } from "./goose-session.ts";
import { gooseUsage, sessionUsage } from "./goose-usage.ts";

/** Reads the database of goose, `sessions.db`. */
export const gooseDatabaseReader: DatabaseReader = {
  type: "database",
  format: "goose",
  label: "goose",
  // hermes has tables of the same names, and more
  recognizes: (tables) =>
    tables.has("sessions") && tables.has("messages") && tables.has("schema_version") && !tables.has("state_meta"),
  read(database, file) {
    const hasLedger = tableNames(database).has("usage_ledger");
    const parents = new Map<string, string>();
    const sql = "SELECT id FROM sessions ORDER BY created_at, id";
    return readSessions({
      ...{ database, file, sql, label: "goose" },
      readSession: (id, report) => readSession({ database, hasLedger, parents, report }, id),
    });
  },
};

interface Source {
  readonly database: SqliteDatabase;
  readonly hasLedger: boolean;
  /** The parent of each subagent whose start has been read. */
  readonly parents: Map<string, string>;
  readonly report: SessionProblem;
}

function readSession({ database, hasLedger, parents, report }: Source, id: string): RecordedRun | undefined {
  const [row = {}] = rowsOf(database, "SELECT * FROM sessions WHERE id = ?", id);
  const model = textField(objectField(json(row["model_config_json"]))["model_name"]);
  const session = createGooseSession({
    id,
    parent: textField(row["parent_session_id"]) ?? parents.get(id),
    isSubagent: row["session_type"] === "sub_agent",
    directory: textField(row["working_dir"]),
    model,
    provider: textField(row["provider_name"]),
  });
  const messages = database.prepare("SELECT * FROM messages WHERE session_id = ? ORDER BY created_timestamp, id");
  for (const message of messages.iterate(id)) {
    const columns = objectField(message);
    const content = json(columns["content_json"]);
    const entry = `message ${String(columns["id"])}`;
    if (!Array.isArray(content)) report.damaged(`${entry}: content_json is not a JSON list`);
    else for (const kind of session.message(messageOf(columns, content), { entry })) report.unknown(kind);
  }
  for (const child of session.children) parents.set(child, id);
  return session.run(usagesOf(database, hasLedger, { ...row, model }));
}

function messageOf(columns: JsonObject, content: readonly unknown[]): JsonObject {
  return {
    id: columns["message_id"],
    role: columns["role"],
    created: columns["created_timestamp"],
    content,
    metadata: json(columns["metadata_json"]),
  };
}

/** The requests of newer versions, or the sum of the session. */
function usagesOf(database: SqliteDatabase, hasLedger: boolean, session: JsonObject): readonly GooseUsage[] {
  const id = String(session["id"]);
  const ledger = hasLedger ? rowsOf(database, "SELECT * FROM usage_ledger WHERE session_id = ? ORDER BY id", id) : [];
  const requests = ledger.flatMap((row) => {
    const usage = gooseUsage(row, `${id} ${String(row["id"])}`);
    return usage === undefined
      ? []
      : [{ at: timeField(row["created_timestamp"]), model: textField(row["model"]), usage }];
  });
  if (requests.length > 0) return requests;
  const usage = sessionUsage(session, id);
  return usage === undefined ? [] : [{ usage }];
}

function json(text: unknown): unknown {
  const parsed = typeof text === "string" ? parseJson(text) : undefined;
  return parsed?.ok ? parsed.value : undefined;
}
