import { isClean } from "./bus/is-clean.ts";
import { maskDeep } from "./bus/mask-deep.ts";
import { maskText } from "./bus/mask-text.ts";
import type { AssistantMessage, CallPart, Message, ReplyPart, ResultMessage } from "./messages.ts";

/** The message as it is kept: without secrets; itself where it has none. The run itself goes on with what was said; a later process reads the masked text. What a model thought stays as it is where its provider has signed it. */
export function maskMessage(message: Message): Message {
  switch (message.role) {
    case "user":
      return { ...message, text: maskText(message.text) };
    case "tool":
      return maskResult(message);
    case "assistant":
      return maskReply(message);
    default:
      return message satisfies never;
  }
}

function maskResult(message: ResultMessage): ResultMessage {
  const tool = maskText(message.tool);
  const content = maskText(message.content);
  return tool === message.tool && content === message.content ? message : { ...message, tool, content };
}

function maskReply(message: AssistantMessage): AssistantMessage {
  for (const part of message.parts) if (maskPart(part) !== part) return { ...message, parts: message.parts.map(maskPart) };
  return message;
}

function maskPart(part: ReplyPart): ReplyPart {
  switch (part.type) {
    case "text":
      return maskWords(part);
    case "thinking":
      return part.providerMetadata === undefined ? maskWords(part) : part;
    case "call":
      return maskCall(part);
    default:
      return part satisfies never;
  }
}

function maskWords<Part extends ReplyPart & { readonly text: string }>(part: Part): Part {
  const text = maskText(part.text);
  return text === part.text ? part : { ...part, text };
}

function maskCall(call: CallPart): CallPart {
  const tool = maskText(call.tool); // a model may make up any name
  const named = tool === call.tool ? call : { ...call, tool };
  const { input } = call;
  if (input === undefined || isClean(input, maskText)) return named;
  const masked = maskDeep(input, maskText) as typeof input; // masking keeps an object an object
  return JSON.stringify(masked) === JSON.stringify(input) ? named : { ...named, input: masked, isMasked: true };
}
