import type { Message, ReplyPart, ReplyStop } from "../protocol/messages.ts";

/** The longest content of an attribute, in characters. */
export const MAX_CONTENT_CHARS = 32_768;

/** How a reply ended, in the words of the conventions' schema for output messages. */
const finishReasons: Readonly<Record<ReplyStop, string>> = {
  end: "stop",
  calls: "tool_call",
  length: "length",
  overlong: "length",
  refused: "content_filter",
  incomplete: "error",
  interrupted: "error",
};

export function finishReason(stop: ReplyStop): string {
  return finishReasons[stop];
}

type Part = Readonly<Record<string, unknown>> & { readonly type: string };

/** Messages as `gen_ai.input.messages`: the newest that fit, each with its texts cut. */
export function inputMessages(messages: readonly Message[], maxChars: number = MAX_CONTENT_CHARS): string {
  return newest(
    messages.map((message) => ({ role: message.role, parts: partsOf(message, maxChars) })),
    maxChars,
  );
}

/** The reply as `gen_ai.output.messages`. */
export function outputMessages(
  reply: readonly ReplyPart[],
  stop: ReplyStop,
  maxChars: number = MAX_CONTENT_CHARS,
): string {
  const whole = reply.map((part) => replyPart(part, maxChars));
  const text = JSON.stringify(whole);
  const parts = text.length <= 2 * maxChars ? whole : [textPart(text, maxChars)]; // many calls, or a huge one
  return JSON.stringify([{ role: "assistant", parts, finish_reason: finishReason(stop) }]);
}

/** A text as `gen_ai.system_instructions`. */
export function systemInstructions(text: string, maxChars: number = MAX_CONTENT_CHARS): string {
  return JSON.stringify([textPart(text, maxChars)]);
}

/** The input of a call as `gen_ai.tool.call.arguments`. */
export function toolArguments(input: unknown, maxChars: number = MAX_CONTENT_CHARS): string {
  const text = JSON.stringify(input ?? {});
  return text.length <= maxChars ? text : JSON.stringify({ shortened: cut(text, maxChars) }); // still an object
}

/** The result of a call as `gen_ai.tool.call.result`. */
export function toolResult(content: string, maxChars: number = MAX_CONTENT_CHARS): string {
  return cut(content, maxChars);
}

/** A text of at most `maxChars` characters, which says how much is missing. */
export function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = /[\uD800-\uDBFF]/.test(text[maxChars - 1] ?? "") ? maxChars - 1 : maxChars; // no half character
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}

function partsOf(message: Message, maxChars: number): readonly Part[] {
  switch (message.role) {
    case "user":
      return [textPart(message.text, maxChars)];
    case "assistant":
      return message.parts.map((part) => replyPart(part, maxChars));
    case "tool":
      return [{ type: "tool_call_response", id: message.callId, response: cut(message.content, maxChars) }];
    default:
      return message satisfies never;
  }
}

function replyPart(part: ReplyPart, maxChars: number): Part {
  switch (part.type) {
    case "text":
      return textPart(part.text, maxChars);
    case "thinking":
      return { type: "reasoning", content: cut(part.text, maxChars) };
    case "call":
      return { type: "tool_call", id: part.id, name: part.tool, arguments: part.input ?? {} };
    default:
      return part satisfies never;
  }
}

function textPart(text: string, maxChars: number): Part {
  return { type: "text", content: cut(text, maxChars) };
}

/** The newest messages whose JSON is not too long, and a text in place of the others. */
function newest(messages: readonly { readonly role: string; readonly parts: readonly Part[] }[], max: number): string {
  let chars = 0;
  const first = messages.findLastIndex((message) => {
    chars += JSON.stringify(message).length;
    return chars > max;
  });
  if (first === -1) return JSON.stringify(messages);
  const note = { role: "system", parts: [textPart(`(${first + 1} earlier messages are left out)`, max)] };
  return JSON.stringify([note, ...messages.slice(first + 1)]);
}
