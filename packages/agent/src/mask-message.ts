import { maskDeep } from "./bus/mask-deep.ts";
import { maskText } from "./bus/mask-text.ts";
import type { CallPart, Message, ReplyPart } from "./messages.ts";

/** The message as it is kept: without secrets. The run itself goes on with what was said; a later process reads the masked text. What a model thought stays as it is where its provider has signed it. */
export function maskMessage(message: Message): Message {
  switch (message.role) {
    case "user":
      return { ...message, text: maskText(message.text) };
    case "tool":
      return { ...message, tool: maskText(message.tool), content: maskText(message.content) };
    case "assistant":
      return { ...message, parts: message.parts.map(maskPart) };
    default:
      return message satisfies never;
  }
}

function maskPart(part: ReplyPart): ReplyPart {
  switch (part.type) {
    case "text":
      return { ...part, text: maskText(part.text) };
    case "thinking":
      return part.providerMetadata === undefined ? { ...part, text: maskText(part.text) } : part;
    case "call":
      return maskCall(part);
    default:
      return part satisfies never;
  }
}

function maskCall(call: CallPart): CallPart {
  const { input } = call;
  const masked = input === undefined ? undefined : (maskDeep(input, maskText) as typeof input); // masking keeps an object an object
  const isSame = masked === undefined || JSON.stringify(masked) === JSON.stringify(input);
  const tool = maskText(call.tool); // a model may make up any name
  return isSame ? { ...call, tool } : { ...call, tool, input: masked, isMasked: true };
}
