import type {
  AssistantMessage,
  CallPart,
  Message,
  ReplyPart,
  ResultMessage,
  ThinkingPart,
  UserMessage,
} from "../protocol/messages.ts";
import type { Redact } from "./redact.ts";
import { redactDeep } from "./redact-deep.ts";

/**
 * A copy of the message without secrets, as it is saved. The run itself continues with the original; a later process
 * reads the redacted text. Reasoning that the provider signed stays unchanged, or the provider would reject it; with a
 * secret in it, it is saved without its signature.
 */
export function redactMessage(message: Message, redact: Redact): Message {
  switch (message.role) {
    case "user":
      return { ...message, text: redact(message.text) } satisfies UserMessage;
    case "tool":
      return {
        ...message,
        tool: redact(message.tool),
        content: redact(message.content),
      } satisfies ResultMessage;
    case "assistant":
      return { ...message, parts: message.parts.map((part) => redactPart(part, redact)) } satisfies AssistantMessage;
    default:
      return message satisfies never;
  }
}

function redactPart(part: ReplyPart, redact: Redact): ReplyPart {
  switch (part.type) {
    case "text":
      return { ...part, text: redact(part.text) };
    case "thinking":
      return redactThinking(part, redact);
    case "call":
      return redactCall(part, redact);
    default:
      return part satisfies never;
  }
}

function redactThinking(part: ThinkingPart, redact: Redact): ThinkingPart {
  const text = redact(part.text);
  return text === part.text ? part : { type: "thinking", text };
}

function redactCall(call: CallPart, redact: Redact): CallPart {
  const tool = redact(call.tool); // the model may invent any name
  if (call.input === undefined) return { ...call, tool };
  const input = redactDeep(call.input, redact) as typeof call.input; // redaction keeps an object an object
  const isRedacted = JSON.stringify(input) !== JSON.stringify(call.input);
  return { ...call, tool, input, ...(isRedacted ? { isRedacted } : {}) };
}
