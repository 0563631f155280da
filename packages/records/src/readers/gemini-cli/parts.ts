import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import { objectField, textField } from "../fields.ts";

/** The parts of a content: the API allows a text, a part, and a list of both. */
function partsOf(content: unknown): readonly JsonObject[] {
  const list = Array.isArray(content) ? content : [content];
  return list.flatMap((part) => (typeof part === "string" ? [{ text: part }] : isObject(part) ? [part] : []));
}

/** The text of a content, without thoughts. */
export function partsText(content: unknown): string {
  const texts = partsOf(content).filter(({ thought }) => thought !== true);
  return texts.flatMap(({ text }) => textField(text) ?? []).join("");
}

/** A call that the model made. */
export interface FunctionCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly args: unknown;
}

/** The calls in a content. */
export function functionCalls(content: unknown): readonly FunctionCall[] {
  return partsOf(content).flatMap(({ functionCall }) => {
    if (!isObject(functionCall)) return [];
    const { id, name, args } = functionCall;
    return [{ id: textField(id), name: textField(name) ?? "unnamed tool", args: args ?? null }];
  });
}

/** The result of a call. */
export interface FunctionResponse {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly result: unknown;
  readonly isError: boolean;
}

/** The results in a content. Text beside a result belongs to it. */
export function functionResponses(content: unknown): readonly FunctionResponse[] {
  const text = partsText(content);
  return partsOf(content).flatMap(({ functionResponse }) => {
    if (!isObject(functionResponse)) return [];
    const { id, name, response } = functionResponse;
    const { result, isError } = responseResult(response);
    const withText = typeof result === "string" && text !== "" ? `${result}\n${text}` : result;
    return [{ id: textField(id), name: textField(name), result: withText, isError }];
  });
}

/** A tool that belongs to gemini-cli answers `{output}` or `{error}`. */
function responseResult(response: unknown): { readonly result: unknown; readonly isError: boolean } {
  const { output, error } = objectField(response);
  if (output !== undefined) return { result: withoutProcessIds(output), isError: false };
  if (error !== undefined) return { result: error, isError: true };
  return { result: response ?? null, isError: false };
}

/** Process ids differ each time, although nothing else may. */
function withoutProcessIds(output: unknown): unknown {
  return typeof output === "string" ? output.replace(/^(?:Process Group PGID|Background PIDs): .*$\n?/gm, "") : output;
}
