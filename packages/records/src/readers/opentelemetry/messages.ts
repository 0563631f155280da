import { isObject, parseJson } from "../../trajectory/parse-json.ts";
import { listField, objectField, textField } from "../fields.ts";
import { type Attributes, textOf } from "./attributes.ts";

/** A call that a reply asks for. */
interface AskedCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly args: unknown;
}

/** The result of a call, as it was sent to the model. */
export interface SentResult {
  readonly id: string | undefined;
  readonly result: unknown;
}

/** What the content of a request says, where it was recorded. */
export interface RequestContent {
  /** The text of the reply. */
  readonly text: string;
  readonly calls: readonly AskedCall[];
  /** The results since the reply before. */
  readonly results: readonly SentResult[];
  /** The first prompt. */
  readonly prompt: string | undefined;
  /** The prompt that this request answers, as far as it is recorded. */
  readonly newPrompt: string | undefined;
  /** Whether the newest message is a prompt. */
  readonly endsWithPrompt: boolean;
}

/** Reads the messages of a request: `gen_ai.input.messages` and `gen_ai.output.messages`, or older attributes. */
export function requestContent(attributes: Attributes): RequestContent {
  const input = messagesOf(attributes.get("gen_ai.input.messages"));
  const output = messagesOf(attributes.get("gen_ai.output.messages"));
  const newest = input.slice(input.findLastIndex(({ role }) => role === "assistant" || role === "model") + 1);
  const newPrompts = newest.filter(isPrompt).map(({ text }) => text);
  const parts = output.flatMap((message) => message.parts);
  return {
    text: output.length > 0 ? textOfParts(parts) : (textOf(attributes, olderTexts) ?? ""),
    calls: parts.flatMap(askedCall),
    results: newest.flatMap((message) => message.parts.flatMap(sentResult)),
    prompt: input.find(isPrompt)?.text ?? recordedPrompt(attributes),
    newPrompt: textField(newPrompts.join("\n\n")) ?? (input.length > 0 ? undefined : recordedPrompt(attributes)),
    endsWithPrompt: newest.some(isPrompt),
  };
}

const olderTexts = ["gen_ai.completion.0.content", "ai.response.text", "llm.output_messages.0.message.content"];
const olderPrompts = ["user_prompt", "gen_ai.prompt"];

/** Claude Code writes a word in place of the prompt unless it is told to record it. */
function recordedPrompt(attributes: Attributes): string | undefined {
  const prompt = textOf(attributes, olderPrompts) ?? numberedPrompt(attributes);
  return prompt === "<REDACTED>" ? undefined : prompt;
}

/** The first prompt of instrumentations with an attribute for each message. It is one of the first messages. */
function numberedPrompt(attributes: Attributes): string | undefined {
  const messages = Array.from({ length: 8 }, (_, index) => [
    `gen_ai.prompt.${index}.`,
    `llm.input_messages.${index}.message.`,
  ]).flat();
  const prefix = messages.find((start) => attributes.get(`${start}role`) === "user");
  return prefix === undefined ? undefined : textOf(attributes, [`${prefix}content`]);
}

interface Message {
  readonly role: string | undefined;
  readonly parts: readonly unknown[];
  readonly text: string;
}

/** Messages in JSON text, each with parts, or with a content as in the chat API. */
function messagesOf(value: unknown): readonly Message[] {
  const parsed = typeof value === "string" ? parseJson(value) : { ok: true as const, value };
  return listField(parsed.ok ? parsed.value : undefined).flatMap((message) => {
    if (!isObject(message)) return [];
    const { role, parts, content } = message;
    const list = parts ?? (typeof content === "string" ? [{ type: "text", content }] : content);
    return [{ role: textField(role), parts: listField(list), text: textOfParts(listField(list)) }];
  });
}

function isPrompt({ role, text }: Message): boolean {
  return role === "user" && text !== "";
}

function textOfParts(parts: readonly unknown[]): string {
  return parts
    .flatMap((part) => {
      const { type, content, text } = objectField(part);
      return type === "text" ? (textField(content) ?? textField(text) ?? []) : [];
    })
    .join("\n");
}

function askedCall(part: unknown): readonly AskedCall[] {
  const { type, id, name, arguments: args } = objectField(part);
  const known = textField(name);
  return type === "tool_call" && known !== undefined ? [{ id: textField(id), name: known, args }] : [];
}

function sentResult(part: unknown): readonly SentResult[] {
  const { type, id, response, result = response } = objectField(part);
  return type === "tool_call_response" ? [{ id: textField(id), result }] : [];
}
