import { maskDeep } from "./bus/mask-deep.ts";
import { maskText } from "./bus/mask-text.ts";
import { keepShape } from "./keep-shape.ts";
import type { AssistantMessage, CallPart, Message, ReplyPart, Usage } from "./messages.ts";
import { isSameData } from "./same-data.ts";
import { noUsage } from "./total-usage.ts";

/** The message as it is kept: a frozen copy without secrets. The run itself goes on with what was said; a later process reads the masked text. What a model thought stays as it is where its provider has signed it. */
export function maskMessage(message: Message): Message {
  switch (message.role) {
    case "user":
      return Object.freeze({ ...message, text: maskText(message.text) });
    case "tool": {
      const { role, id, at, callId, tool, status, content } = message;
      return Object.freeze({ role, id, at, callId, tool: maskText(tool), status, content: maskText(content) });
    }
    case "assistant":
      return maskReply(message);
    default:
      return message satisfies never;
  }
}

function maskReply({ role, id, at, parts, stop, model, usage }: AssistantMessage): AssistantMessage {
  return Object.freeze({ role, id, at, parts: Object.freeze(parts.map(maskPart)), stop, model, usage: frozen(usage) });
}

function frozen({ input, cacheRead, cacheWrite, output, isEstimated }: Usage): Usage {
  return Object.freeze({ input, cacheRead, cacheWrite, output, isEstimated });
}

function maskPart(part: ReplyPart): ReplyPart {
  switch (part.type) {
    case "text":
      return Object.freeze({ type: part.type, text: maskText(part.text) });
    case "thinking":
      return part.providerMetadata === undefined ? Object.freeze({ type: part.type, text: maskText(part.text) }) : part;
    case "call":
      return Object.freeze(maskCall(part));
    default:
      return part satisfies never;
  }
}

function maskCall(call: CallPart): CallPart {
  const { type, id, input: given } = call;
  const tool = maskText(call.tool); // a model may make up any name
  if (given === undefined) return { ...call, tool };
  const input = maskDeep(given, maskText) as typeof given; // masking keeps an object an object
  if (!isSameData(input, given) && JSON.stringify(input) !== JSON.stringify(given)) return { ...call, tool, input, isMasked: true };
  return call.problem === undefined && call.providerMetadata === undefined ? { type, id, tool, input } : { ...call, tool, input };
}

const at = Date.now();
const parts: readonly ReplyPart[] = [
  { type: "text", text: "" },
  { type: "call", id: "", tool: "", input: {} },
];
keepShape(
  maskMessage({ role: "user", id: "", at, origin: "person", text: "" }),
  maskMessage({ role: "assistant", id: "", at, parts, stop: "calls", model: "", usage: noUsage }),
  maskMessage({ role: "tool", id: "", at, callId: "", tool: "", status: "ok", content: "" }),
);
