import type { SqliteValue } from "@sheepdog/records";
import { isRecord, parseJson } from "../../protocol/json.ts";

/** A row by column name. */
export type Row = Readonly<Record<string, SqliteValue>>;

/** The tables whose rows are checked. All other tables are derived from them. */
export type CheckedTable =
  | "sessions"
  | "messages"
  | "events"
  | "event_batches"
  | "runs"
  | "checkpoints"
  | "removals"
  | "costs"
  | "reservations"
  | "facts"
  | "audit"
  | "lessons";

/** Whether a row has the content that the program expects. A changed byte on the disk can leave valid SQLite rows. */
export const isValidRow: Readonly<Record<CheckedTable, (row: Row) => boolean>> = {
  sessions: (row) => isText(row["id"]) && row["id"] !== "" && isCount(row["key"]),
  messages: (row) => isMessage(jsonOf(row)),
  events: (row) => isEventList(jsonOf(row)),
  event_batches: (row) => isCount(row["position"]) && isCount(row["row_key"]),
  runs: (row) => isRun(jsonOf(row), row["run_id"] ?? null),
  checkpoints: (row) => isCheckpoint(jsonOf(row)),
  removals: (row) => isCount(row["session"]),
  costs: isCost,
  reservations: isCost,
  facts: (row) => isText(jsonOf(row)["text"]) && isList(jsonOf(row)["tags"], isText) && isTime(row["at"]),
  audit: (row) => isAuditRow(jsonOf(row)) && isText(row["session_id"]) && isTime(row["at"]),
  lessons: (row) => isText(row["key"]) && isLesson(jsonOf(row)),
};

/** The rows of a table that this program wrote. A row that another program wrote or edited is left out. */
export function* ownRows<T extends object>(
  table: CheckedTable,
  rows: Iterable<unknown>,
  onForeignRow: () => void = () => {},
): Generator<T> {
  for (const row of rows)
    if (isValidRow[table](row as Row))
      yield row as T; // the statement selects what is checked
    else onForeignRow();
}

/** Whether a value read from the database is a checkpoint. The guardian checks its own state. */
export function isCheckpoint(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { runId, turn, guardian, total, costNanoUsd, recoveries } = value;
  return (
    isText(runId) &&
    isCount(turn) &&
    isRecord(guardian) &&
    isUsage(total) &&
    (costNanoUsd === null || isCount(costNanoUsd)) &&
    isRecord(recoveries) &&
    Object.values(recoveries).every(isCount)
  );
}

function isUsage(value: unknown): boolean {
  return isRecord(value) && ["input", "cacheRead", "cacheWrite", "output"].every((name) => isCount(value[name]));
}

/** Whether a value read from the database is a message. */
export function isMessage(message: unknown): boolean {
  if (!isRecord(message)) return false;
  if (!isText(message["id"]) || !isTime(message["at"])) return false;
  if (message["role"] === "user") return isText(message["text"]) && isText(message["origin"]);
  if (message["role"] === "tool") return ["callId", "tool", "status", "content"].every((name) => isText(message[name]));
  return (
    message["role"] === "assistant" &&
    isList(message["parts"], isPart) &&
    isText(message["stop"]) &&
    isRecord(message["usage"])
  );
}

function isPart(part: unknown): boolean {
  if (!isRecord(part)) return false;
  return part["type"] === "call" ? isText(part["id"]) && isText(part["tool"]) : isText(part["text"]);
}

function isEventList(events: unknown): boolean {
  return isList(
    events,
    (event) => isRecord(event) && isText(event["type"]) && isText(event["sessionId"]) && isCount(event["seq"]),
  );
}

/** Whether a value read from the database is a run, with this id if one is given. */
export function isRun(run: unknown, runId?: unknown): boolean {
  return (
    isRecord(run) &&
    isText(run["runId"]) &&
    (runId === undefined || run["runId"] === runId) &&
    isText(run["prompt"]) &&
    isText(run["state"]) &&
    isTime(run["startedAt"]) &&
    isCount(run["turns"]) &&
    isRecord(run["usage"])
  );
}

function isAuditRow(row: Fields): boolean {
  if (!isText(row["callId"]) || !isText(row["runId"])) return false;
  if (row["type"] === "decision")
    return ["id", "tool", "input", "decision", "reason"].every((name) => isText(row[name]));
  return row["type"] === "outcome" ? isText(row["outcome"]) : row["type"] === "approval";
}

function isLesson(lesson: Fields): boolean {
  const areTexts = ["action", "reflection", "principle", "rule", "outcome", "source", "sessionId"].every((name) =>
    isText(lesson[name]),
  );
  return (
    areTexts && isTime(lesson["at"]) && isCount(lesson["timesApplied"]) && typeof lesson["confidence"] === "number"
  );
}

function isCost(row: Row): boolean {
  const areTexts = ["session_id", "id", "run_id", "model"].every((name) => isText(row[name]));
  const areCounts = ["input", "cache_read", "cache_write", "output"].every((name) => isCount(row[name]));
  return areTexts && areCounts && isTime(row["at"]) && (row["cost_nano_usd"] === null || isCount(row["cost_nano_usd"]));
}

type Fields = Readonly<Record<string, unknown>>;

/** The parsed JSON column; an object without fields when it is not an object or a list. */
function jsonOf(row: Row): Fields {
  const value = parseJson(String(row["json"]));
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function isList(value: unknown, isValidItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isValidItem);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 8.64e15;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
