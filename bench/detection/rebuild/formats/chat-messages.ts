import { asList, asObject, asText, isObject, type Json, type JsonObject } from "../json.ts";
import type { ParsedCall, ParsedStep } from "../parsed-run.ts";
import { toArguments } from "./arguments.ts";

/** A call whose result may still come. */
interface OpenCall {
  readonly id: Json | undefined;
  readonly name: string;
  readonly args: JsonObject;
  result: string;
  isError: boolean | null;
}

/**
 * The steps of a conversation in the format of OpenAI's chat messages: one step for each message of the assistant. A
 * tool message belongs to the call with its id; without such a call, to the first one of the step without a result.
 */
export function stepsOfMessages(messages: readonly Json[]): readonly ParsedStep[] {
  const steps: (ParsedStep & { readonly calls: ParsedCall[] })[] = [];
  let unanswered: OpenCall[] = [];
  let isAfterUser = false;
  for (const message of messages.map(asObject)) {
    if (message["role"] === "user") isAfterUser = true;
    if (message["role"] === "assistant") {
      const calls = asList(message["tool_calls"]).map(toOpenCall);
      steps.push({ text: contentText(message["content"], "\n"), calls, isAfterUser });
      unanswered = [...calls];
      isAfterUser = false;
    }
    if (message["role"] === "tool") unanswered = answerCall(unanswered, message);
  }
  return steps;
}

/** The text of the first message of the user. */
export function firstUserText(messages: readonly Json[]): string {
  const message = messages.map(asObject).find(({ role }) => role === "user");
  return contentText(message?.["content"], " ");
}

/** Content is a text, or a list of parts with a text each. */
function contentText(content: Json | undefined, separator: string): string {
  if (!Array.isArray(content)) return asText(content);
  const parts: readonly JsonObject[] = content.filter(isObject);
  return parts.map((part) => asText(part["text"]) || asText(part["content"])).join(separator);
}

/** Three shapes of a call: a nested function, a name with arguments, and AgentDojo's function with args. */
function toOpenCall(value: Json): OpenCall {
  const call = asObject(value);
  const open = { id: call["id"], result: "", isError: null };
  const nested = call["function"];
  if (isObject(nested)) return { ...open, name: asText(nested["name"]), args: toArguments(nested["arguments"]) };
  if ("arguments" in call) return { ...open, name: asText(call["name"]), args: toArguments(call["arguments"]) };
  return { ...open, name: asText(nested), args: asObject(call["args"]) };
}

/** Stores the result of a tool message in its call and returns the calls that still have none. */
function answerCall(unanswered: readonly OpenCall[], message: JsonObject): OpenCall[] {
  const id = message["tool_call_id"] || message["id"];
  const hasId = id !== undefined && id !== null;
  const call = unanswered.find((open) => hasId && open.id === id) ?? unanswered[0];
  if (call === undefined) return [];
  const { error } = message;
  const content = contentText(message["content"], "\n");
  const errorText = typeof error === "string" && error !== "" ? `ERROR: ${error}` : "";
  call.result = [content, errorText].filter(Boolean).join("\n");
  call.isError = Boolean(error) || call.result.trimStart().toLowerCase().startsWith("error");
  return unanswered.filter((open) => open !== call);
}
