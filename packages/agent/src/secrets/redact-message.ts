import { keepShape } from "../async/keep-shape.ts";
import type {
  AssistantMessage,
  CallPart,
  Message,
  ReplyPart,
  ResultMessage,
  UserMessage,
} from "../protocol/messages.ts";
import { fixedUsage, noUsage } from "../protocol/usage.ts";
import { redactDeep } from "./redact-deep.ts";
import { redactText } from "./redact-text.ts";
import { isSameData } from "./same-data.ts";

/** The message as it is kept: frozen, and without secrets: a copy, but for a result that is so already. The run itself goes on with what was said; a later process reads the masked text. What a model thought stays as it is where its provider has signed it. */
export function redactMessage(message: Message): Message {
  switch (message.role) {
    case "user":
      return maskSaid(message);
    case "tool":
      return maskResult(message);
    case "assistant":
      return maskReply(message);
    default:
      return message satisfies never;
  }
}

function maskSaid({ role, id, at, origin, text: said, reason }: UserMessage): UserMessage {
  const text = redactText(said);
  return Object.freeze(reason === undefined ? { role, id, at, origin, text } : { role, id, at, origin, text, reason });
}

function maskResult(message: ResultMessage): ResultMessage {
  const { role, id, at, callId, status } = message;
  const tool = redactText(message.tool);
  const content = redactText(message.content);
  if (tool === message.tool && content === message.content && Object.isFrozen(message)) return message;
  return Object.freeze({ role, id, at, callId, tool, status, content });
}

function maskReply({ role, id, at, parts, stop, model, usage }: AssistantMessage): AssistantMessage {
  return Object.freeze({
    role,
    id,
    at,
    parts: Object.freeze(parts.map(maskPart)),
    stop,
    model,
    usage: fixedUsage(usage),
  });
}

function maskPart(part: ReplyPart): ReplyPart {
  switch (part.type) {
    case "text":
      return Object.freeze({ type: part.type, text: redactText(part.text) });
    case "thinking":
      return part.providerMetadata === undefined
        ? Object.freeze({ type: part.type, text: redactText(part.text) })
        : part;
    case "call":
      return Object.freeze(maskCall(part));
    default:
      return part satisfies never;
  }
}

function maskCall(call: CallPart): CallPart {
  const { type, id, input: given } = call;
  const tool = redactText(call.tool); // a model may make up any name
  if (given === undefined) return { ...call, tool };
  const input = redactDeep(given, redactText) as typeof given; // masking keeps an object an object
  if (!isSameData(input, given) && JSON.stringify(input) !== JSON.stringify(given))
    return { ...call, tool, input, isRedacted: true };
  const isPlain = call.problem === undefined && call.providerMetadata === undefined && call.isRedacted === undefined;
  return isPlain ? { type, id, tool, input } : { ...call, tool, input };
}

const at = Date.now();
const parts: readonly ReplyPart[] = [
  { type: "text", text: "" },
  { type: "call", id: "", tool: "", input: {} },
];
keepShape(
  redactMessage({ role: "user", id: "", at, origin: "person", text: "" }),
  redactMessage({ role: "assistant", id: "", at, parts, stop: "calls", model: "", usage: noUsage }),
  redactMessage({ role: "tool", id: "", at, callId: "", tool: "", status: "ok", content: "" }),
);
