import { isObject, parseJson } from "../../trajectory/parse-json.ts";
import { textField } from "../fields.ts";
import type { CallResult } from "../step-list.ts";

/** A result of a tool. Most tools of hermes answer a JSON object that says whether they failed. */
export function hermesResult(text: string): CallResult {
  const parsed = parseJson(text);
  const result = text;
  if (!parsed.ok || !isObject(parsed.value)) {
    if (/^Tool '.*' does not exist/.test(text)) return { result, isError: true, status: "unknown-tool" };
    return { result, isError: /^Error(?: executing tool)?[: ]/.test(text) ? true : null };
  }
  const { error, exit_code, success, status } = parsed.value;
  const why = textField(error) ?? "";
  if (/^BLOCKED|denied by (?:the )?user|User denied/i.test(why) || status === "blocked")
    return { result, isError: true, status: "denied" };
  if (/^Tool '.*' does not exist/.test(why)) return { result, isError: true, status: "unknown-tool" };
  if (exit_code === 124 || /timed out after/i.test(why)) return { result, isError: true, status: "timeout" };
  if (why !== "" || success === false || status === "error") return { result, isError: true };
  if (typeof exit_code === "number") return { result, isError: exit_code !== 0 };
  return { result, isError: success === true ? false : null };
}
