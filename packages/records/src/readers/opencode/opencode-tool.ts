import type { JsonObject } from "../../trajectory/json-fields.ts";
import type { RecordedStatus } from "../../trajectory/recorded-run.ts";
import { objectField, optional, textField, timeField } from "../fields.ts";
import type { CallResult, MadeCall } from "../step-list.ts";

/** A tool call of opencode, which is recorded together with its result. */
export interface OpencodeCall {
  readonly made: Pick<MadeCall, "name" | "args" | "at" | "child">;
  /** Absent while the call is pending or running. */
  readonly result?: CallResult;
}

/** A part of type `tool`. */
export function opencodeCall(part: JsonObject): OpencodeCall {
  const state = objectField(part["state"]);
  const metadata = objectField(state["metadata"]);
  const tool = textField(part["tool"]) ?? "unknown";
  const at = timeField(objectField(state["time"])["start"]);
  const child = textField(metadata["sessionId"]) ?? textField(metadata["sessionID"]);
  const made = { name: tool, args: state["input"], ...optional("at", at), ...optional("child", child) };
  if (tool === "invalid") return invalidCall(made, state);
  const result = callResult(state, metadata);
  const endedAt = timeField(objectField(state["time"])["end"]);
  return result === undefined ? { made } : { made, result: { ...result, ...optional("endedAt", endedAt) } };
}

/** opencode replaces a call that it cannot parse by one of the tool `invalid`, which returns the error. */
function invalidCall(made: OpencodeCall["made"], state: JsonObject): OpencodeCall {
  const { tool, error } = objectField(state["input"]);
  const why = textField(error) ?? textField(state["output"]) ?? "";
  const status = /unavailable tool|no such tool|tool not found/i.test(why) ? "unknown-tool" : "invalid-arguments";
  return {
    made: { ...made, name: textField(tool) ?? made.name },
    result: { result: why, isError: true, status },
  };
}

function callResult(state: JsonObject, metadata: JsonObject): CallResult | undefined {
  if (state["status"] === "completed") return completedCall(state["output"], metadata);
  if (state["status"] !== "error") return undefined;
  const error = textField(state["error"]) ?? "";
  return { result: error, isError: true, ...optional("status", failureStatus(error, metadata)) };
}

const timeoutNote = /<(?:bash|shell)_metadata>[^<]*(?:exceeding timeout|timed out)/;
const abortNote = /<(?:bash|shell)_metadata>[^<]*User aborted/;

/** A command that fails is completed all the same: its exit code tells. */
function completedCall(output: unknown, metadata: JsonObject): CallResult {
  const text = typeof output === "string" ? output : "";
  if (timeoutNote.test(text)) return { result: output, isError: true, status: "timeout" };
  if (abortNote.test(text)) return { result: output, isError: true, status: "interrupted" };
  const { exit } = metadata;
  return { result: output, isError: typeof exit === "number" && exit !== 0 };
}

/** Sentences of opencode that a refused or stopped call ends with. */
export function failureStatus(error: string, metadata: JsonObject): RecordedStatus | undefined {
  if (/^The user (?:rejected permission|has specified a rule which prevents|dismissed)/.test(error)) return "denied";
  return metadata["interrupted"] === true || error === "Tool execution aborted" ? "interrupted" : undefined;
}
