import type { SqliteDatabase, SqliteValue } from "../platform/sqlite.ts";
import type { JsonObject } from "../trajectory/json-fields.ts";
import { isObject } from "../trajectory/parse-json.ts";
import type { RecordedRun } from "../trajectory/recorded-run.ts";
import { textField } from "./fields.ts";
import { describeReadFailure } from "./read-failure.ts";
import { type ReadItem, runItem, skip } from "./read-item.ts";
import { countUnknown } from "./unknown-kinds.ts";

/** Takes what a reader of a session cannot use. */
export interface SessionProblem {
  /** An entry of the session that was left out, as a sentence: "message msg_1 is not a JSON object". */
  damaged(why: string): void;
  /** A kind of entry that the reader does not know. */
  unknown(kind: string): void;
}

/** A database with sessions. */
export interface SessionSource {
  readonly database: SqliteDatabase;
  readonly file: string;
  readonly label: string;
  /** Selects the ids of all sessions, a session before those that it started. */
  readonly sql: string;
  /** Returns undefined for a session without a reply of a model. */
  readSession(id: string, report: SessionProblem): RecordedRun | undefined;
}

/** Reads session by session. One that cannot be read costs only itself. */
export function* readSessions({ database, file, label, sql, readSession }: SessionSource): Generator<ReadItem> {
  const unknown = countUnknown("entries");
  const ids = rowsOf(database, sql).map(({ id }) => textField(id));
  let runs = 0;
  for (const [index, id] of ids.entries()) {
    const ordinal = index + 1;
    const problems: string[] = [];
    const report: SessionProblem = {
      damaged: (why) => void problems.push(why),
      unknown: (kind) => unknown.add(kind, ordinal),
    };
    try {
      const run = id === undefined ? undefined : readSession(id, report);
      if (run !== undefined) yield runItem(run, file, ordinal);
      if (run !== undefined) runs++;
    } catch (error) {
      problems.push(`session ${id}: ${describeReadFailure(error).why}`);
    }
    for (const why of problems) yield skip(file, ordinal, why);
  }
  const leftOut = unknown.item(file, label);
  if (leftOut !== undefined) yield leftOut;
  if (runs === 0) yield skip(file, 0, `it is a database of ${label} without a reply of a model`);
}

/** The rows of a query. */
export function rowsOf(database: SqliteDatabase, sql: string, ...values: SqliteValue[]): readonly JsonObject[] {
  return database
    .prepare(sql)
    .all(...values)
    .filter(isObject);
}
