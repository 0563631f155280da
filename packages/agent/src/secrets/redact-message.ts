import { redactSecrets } from "@sheepdog/guardian/secrets";
import type {
  AssistantMessage,
  CallPart,
  Message,
  ReplyPart,
  ResultMessage,
  UserMessage,
} from "../protocol/messages.ts";
import { redactDeep } from "./redact-deep.ts";

/**
 * A copy of the message without secrets, as it is saved. The run itself continues with the original; a later process
 * reads the redacted text. Reasoning that the provider signed stays unchanged, or the provider would reject it.
 */
export function redactMessage(message: Message): Message {
  switch (message.role) {
    case "user":
      return { ...message, text: redactSecrets(message.text) } satisfies UserMessage;
    case "tool":
      return {
        ...message,
        tool: redactSecrets(message.tool),
        content: redactSecrets(message.content),
      } satisfies ResultMessage;
    case "assistant":
      return { ...message, parts: message.parts.map(redactPart) } satisfies AssistantMessage;
    default:
      return message satisfies never;
  }
}

function redactPart(part: ReplyPart): ReplyPart {
  switch (part.type) {
    case "text":
      return { ...part, text: redactSecrets(part.text) };
    case "thinking":
      return part.providerMetadata === undefined ? { ...part, text: redactSecrets(part.text) } : part;
    case "call":
      return redactCall(part);
    default:
      return part satisfies never;
  }
}

function redactCall(call: CallPart): CallPart {
  const tool = redactSecrets(call.tool); // the model may invent any name
  if (call.input === undefined) return { ...call, tool };
  const input = redactDeep(call.input) as typeof call.input; // redaction keeps an object an object
  const isRedacted = JSON.stringify(input) !== JSON.stringify(call.input);
  return { ...call, tool, input, ...(isRedacted ? { isRedacted } : {}) };
}
