import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import { listField, objectField, optional, textField } from "../fields.ts";
import type { CallResult, MadeCall } from "../step-list.ts";

/** A call of goose; with a failure when goose could not parse what the model wrote. */
export interface GooseCall {
  readonly call: Pick<MadeCall, "name" | "args">;
  readonly failure?: CallResult;
}

/** A content of type `toolRequest`. */
export function gooseCall({ toolCall }: JsonObject): GooseCall {
  const { value, error, Ok } = objectField(toolCall);
  const { name, arguments: args } = objectField(value ?? Ok ?? toolCall);
  const call = { name: textField(name) ?? "unknown", args: args ?? {} };
  if (textField(error) === undefined) return { call };
  return { call, failure: { result: error, isError: true, status: "invalid-arguments" } };
}

/** What goose answers in place of a tool that the user did not allow. */
const declined = /^The user has declined to run this tool|^User declined to run this tool/;
const unknownTool = /Tool '.*' not found|tool not found|-32601/i;

/** A content of type `toolResponse`. */
export function gooseResult({ toolResult }: JsonObject): CallResult {
  const { value, error, Ok, Err } = objectField(toolResult);
  const failure = textField(error) ?? textField(Err);
  if (failure !== undefined) return failedResult(failure);
  const outcome = value ?? Ok ?? toolResult;
  const content = Array.isArray(outcome) ? outcome : objectField(outcome)["content"];
  const { isError, structuredContent, _meta } = objectField(outcome);
  const result = resultText(content) || structuredContent;
  const child = textField(objectField(_meta)["subagent_session_id"]);
  if (typeof result === "string" && declined.test(result)) return { result, isError: true, status: "denied" };
  const exitCode = objectField(structuredContent)["exit_code"];
  const hasFailed = isError === true || (typeof exitCode === "number" && exitCode !== 0);
  return { result, isError: hasFailed, ...optional("child", child) };
}

function failedResult(error: string): CallResult {
  const result = { result: error, isError: true };
  return unknownTool.test(error) ? { ...result, status: "unknown-tool" } : result;
}

/** The text for the model. goose repeats a result for the user, as a part with the audience "user". */
function resultText(content: unknown): string {
  return listField(content)
    .filter(isObject)
    .filter((part) => isForModel(part))
    .flatMap((part) => textField(part["text"]) ?? textField(objectField(part["resource"])["text"]) ?? [])
    .join("\n");
}

function isForModel(part: JsonObject): boolean {
  const audience = listField(objectField(part["annotations"])["audience"] ?? part["audience"]);
  return audience.length === 0 || audience.includes("assistant");
}
