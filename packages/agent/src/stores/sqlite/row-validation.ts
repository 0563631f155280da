import type { Row } from "./damaged-table.ts";

/** The tables whose rows are copied; what else there is follows from them. */
export type SalvagedTable =
  | "sessions"
  | "messages"
  | "events"
  | "runs"
  | "checkpoints"
  | "checkpoint_changes"
  | "removals"
  | "costs"
  | "reservations"
  | "facts";

/** Whether a row of a table holds what it should: a letter that was changed on the disk is no reason to hand something to the program that it cannot use. */
export const isValidRow: Readonly<Record<SalvagedTable, (row: Row) => boolean>> = {
  sessions: (row) => isText(row["id"]) && row["id"] !== "" && isCount(row["key"]),
  messages: (row) => isMessage(jsonOf(row)),
  events: (row) => isEvents(jsonOf(row)),
  runs: (row) => isRun(jsonOf(row), row["run_id"]),
  checkpoints: (row) => isRecord(jsonOf(row)["guardian"]) && isCount(row["n"]),
  checkpoint_changes: (row) => isRecord(jsonOf(row)["guardian"]) && isCount(row["n"]),
  removals: (row) => isCount(row["session"]),
  costs: isCost,
  reservations: isCost,
  facts: (row) => isText(jsonOf(row)["text"]) && isList(jsonOf(row)["tags"], isText) && isTime(row["at"]),
};

/** A session's row without what only its process knows, and without what can be worked out from the other rows where it is damaged. */
export function cleanSessionRow(row: Row): Row {
  const time = (value: unknown) => (isTime(value) ? value : null);
  const count = (value: unknown) => (isCount(value) && value < 2 ** 30 ? value : 0);
  return {
    ...row,
    created_at: time(row["created_at"]),
    updated_at: time(row["updated_at"]),
    messages: count(row["messages"]),
    runs: count(row["runs"]),
    last_seq: count(row["last_seq"]),
    open_calls: isList(parse(row["open_calls"]), (call) => isRecord(call) && isText(call["callId"]))
      ? (row["open_calls"] ?? "[]")
      : "[]",
    holder: null,
    renewed_at: 0,
  };
}

function isMessage(message: Fields): boolean {
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

function isEvents(events: unknown): boolean {
  return isList(
    events,
    (event) => isRecord(event) && isText(event["type"]) && isText(event["sessionId"]) && isCount(event["seq"]),
  );
}

function isRun(run: Fields, runId: unknown): boolean {
  return (
    run["runId"] === runId &&
    isText(run["prompt"]) &&
    isText(run["state"]) &&
    isTime(run["startedAt"]) &&
    isCount(run["turns"]) &&
    isRecord(run["usage"])
  );
}

function isCost(row: Row): boolean {
  const areTexts = ["session_id", "id", "run_id", "model"].every((name) => isText(row[name]));
  const areCounts = ["input", "cache_read", "cache_write", "output"].every((name) => isCount(row[name]));
  return areTexts && areCounts && isTime(row["at"]) && (row["cost_nano_usd"] === null || isCount(row["cost_nano_usd"]));
}

type Fields = Readonly<Record<string, unknown>>;

function jsonOf(row: Row): Fields {
  const value = parse(row["json"]);
  return typeof value === "object" && value !== null ? (value as Fields) : {}; // every key can be asked for
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined; // damaged, which is what is asked here
  }
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isList(value: unknown, isRight: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isRight);
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
