import { tableNames } from "../../platform/open-shared-database.ts";
import type { SqliteDatabase } from "../../platform/sqlite.ts";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject, parseJson } from "../../trajectory/parse-json.ts";
import type { RecordedRun } from "../../trajectory/recorded-run.ts";
import { readSessions, rowsOf, type SessionProblem } from "../database-sessions.ts";
import { objectField, textField } from "../fields.ts";
import type { DatabaseReader } from "../reader.ts";
import { readNewerSession } from "./opencode-newer-session.ts";
import { createOpencodeSession, type OpencodeInfo, type OpencodeSource, opencodeSource } from "./opencode-session.ts";

/** Reads the database of opencode, and of Kilo, which has the same tables. */
export const opencodeDatabaseReader: DatabaseReader = {
  type: "database",
  format: "opencode",
  label: "opencode",
  recognizes: (tables) => tables.has("session") && ((tables.has("message") && tables.has("part")) || isNewer(tables)),
  read(database, file) {
    const tables = tableNames(database);
    const sql = "SELECT id FROM session ORDER BY time_created, id";
    return readSessions({
      ...{ database, file, sql, label: "opencode" },
      readSession: (id, report) => readSession({ database, tables, report, source: opencodeSource(file) }, id),
    });
  },
};

function isNewer(tables: ReadonlySet<string>): boolean {
  return tables.has("session_message");
}

interface Source {
  readonly database: SqliteDatabase;
  readonly tables: ReadonlySet<string>;
  readonly report: SessionProblem;
  readonly source: OpencodeSource;
}

function readSession({ database, tables, report, source }: Source, id: string): RecordedRun | undefined {
  const [row = {}] = rowsOf(database, "SELECT * FROM session WHERE id = ?", id);
  const info: OpencodeInfo = {
    id,
    source,
    parent: textField(row["parent_id"]),
    directory: textField(row["directory"]),
    revertedFrom: textField(objectField(json(row["revert"]))["messageID"]),
  };
  const run = tables.has("part") && tables.has("message") ? readMessages({ database, report }, info) : undefined;
  return run ?? (isNewer(tables) ? readNewerSession(database, info, report) : undefined);
}

function readMessages(
  { database, report }: Pick<Source, "database" | "report">,
  info: OpencodeInfo,
): RecordedRun | undefined {
  const session = createOpencodeSession(info);
  const messages = database.prepare("SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id");
  const parts = database.prepare("SELECT id, data FROM part WHERE message_id = ? ORDER BY id");
  for (const row of messages.iterate(info.id)) {
    const message = rowData(row);
    if (message === undefined) {
      report.damaged(`${entryOf("message", row)} is not a JSON object`);
      continue;
    }
    const read: JsonObject[] = [];
    for (const part of parts.iterate(textField(message["id"]) ?? "")) {
      const data = rowData(part);
      if (data === undefined) report.damaged(`${entryOf("part", part)} is not a JSON object`);
      else read.push(data);
    }
    for (const kind of session.message(message, read, { entry: entryOf("message", row) })) report.unknown(kind);
  }
  return session.run();
}

function entryOf(what: string, row: unknown): string {
  return `${what} ${String(objectField(row)["id"])}`;
}

/** The `data` of a row, with the `id` that is kept in a column of its own; undefined when it is no JSON object. */
function rowData(row: unknown): JsonObject | undefined {
  const { id, data } = objectField(row);
  const value = json(data);
  return isObject(value) ? { ...value, id } : undefined;
}

function json(text: unknown): unknown {
  const parsed = typeof text === "string" ? parseJson(text) : undefined;
  return parsed?.ok ? parsed.value : undefined;
}
