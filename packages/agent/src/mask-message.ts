import { maskDeep } from "./bus/mask-deep.ts";
import { maskText } from "./bus/mask-text.ts";
import type { Message, ReplyPart } from "./messages.ts";

/** The message as it is kept: without secrets. The run itself goes on with what was said; a later process reads the masked text. What a model thought stays as it is where its provider has signed it. */
export function maskMessage(message: Message): Message {
  switch (message.role) {
    case "user":
      return { ...message, text: maskText(message.text) };
    case "tool":
      return { ...message, content: maskText(message.content) };
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
      return part.input === undefined ? part : { ...part, input: maskDeep(part.input, maskText) as NonNullable<typeof part.input> }; // masking keeps an object an object
    default:
      return part satisfies never;
  }
}
