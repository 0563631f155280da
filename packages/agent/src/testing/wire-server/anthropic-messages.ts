import type { ReplyBlock } from "../reply-blocks.ts";
import type { ContentStep } from "../reply-steps.ts";
import { type ReportedUsage, withoutParts } from "../reported-usage.ts";
import type { Frame } from "./frame.ts";
import type { Problem, ReplyHead, WireFormat } from "./wire-format.ts";

/** Anthropic's messages: blocks with start and stop, signed thinking, pings, and token figures in two events. */
export const anthropicMessages: WireFormat = {
  name: "anthropic-messages",
  modelOf: (path, body) => (path.endsWith("/messages") ? String(body["model"]) : undefined),
  asksForStream: (body) => body["stream"] === true,
  lineEnd: "\n",
  contentType: "text/event-stream; charset=utf-8",
  ping: event({ type: "ping" }),
  contextTooLong: { status: 400, message: "prompt is too long: 210000 tokens > 200000 maximum" },
  writer,
  errorBody: (problem) => ({ type: "error", error: errorOf(problem), request_id: "req_scripted" }),
  errorFrame: (problem) => event({ type: "error", error: errorOf(problem) }),
};

const stopReasons = { end: "end_turn", calls: "tool_use", length: "max_tokens", refused: "refusal" } as const;

/** Anthropic always signs thinking; this signature is a placeholder. */
const defaultSignature = "c2NyaXB0ZWQgdGhpbmtpbmc=";

function writer(head: ReplyHead): (step: ContentStep) => readonly Frame[] {
  let hasPinged = false;
  return (step) => {
    switch (step.type) {
      case "start": {
        const message = {
          id: `msg_${head.index}`,
          type: "message",
          role: "assistant",
          model: head.model,
          content: [],
          stop_reason: null,
          stop_sequence: null,
        };
        return [event({ type: "message_start", message: { ...message, ...startUsage(step.usage) } })];
      }
      case "open": {
        const ping = hasPinged ? [] : [anthropicMessages.ping];
        hasPinged = true;
        return [
          event({ type: "content_block_start", index: step.block.index, content_block: contentBlock(step.block) }),
          ...ping,
          ...firstDelta(step.block),
        ];
      }
      case "delta":
        return [delta(step.block, contentDelta(step.block, step.text))];
      case "close": {
        const signature =
          step.block.type === "thinking"
            ? [delta(step.block, { type: "signature_delta", signature: step.block.signature ?? defaultSignature })]
            : [];
        return [...signature, event({ type: "content_block_stop", index: step.block.index })];
      }
      case "finish": {
        const stop_reason = typeof step.stop === "string" ? stopReasons[step.stop] : step.stop.raw;
        const delta = { stop_reason, stop_sequence: null };
        return [event({ type: "message_delta", delta, ...endUsage(step.usage) }), event({ type: "message_stop" })];
      }
      default:
        return step satisfies never;
    }
  };
}

function event(data: { readonly type: string; readonly [field: string]: unknown }): Frame {
  return { type: "json", event: data.type, data };
}

function contentBlock(block: ReplyBlock): object {
  if (block.type === "call") return { type: "tool_use", id: block.id, name: block.tool, input: {} };
  return block.type === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "", signature: "" };
}

/** The arguments of a call start with an empty delta. */
function firstDelta(block: ReplyBlock): readonly Frame[] {
  return block.type === "call" ? [delta(block, contentDelta(block, ""))] : [];
}

function delta(block: ReplyBlock, content: object): Frame {
  return event({ type: "content_block_delta", index: block.index, delta: content });
}

function contentDelta(block: ReplyBlock, text: string): object {
  if (block.type === "call") return { type: "input_json_delta", partial_json: text };
  return block.type === "text" ? { type: "text_delta", text } : { type: "thinking_delta", thinking: text };
}

function startUsage(usage: ReportedUsage): object {
  if (usage === "missing") return {};
  if (usage === null) return { usage };
  const input = {
    input_tokens: withoutParts(usage.input, usage.cacheRead, usage.cacheWrite),
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
  };
  return { usage: { ...input, output_tokens: 1, service_tier: "standard" } };
}

function endUsage(usage: ReportedUsage): object {
  if (usage === "missing") return {};
  return { usage: usage === null ? null : { output_tokens: usage.output } };
}

const errorTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

function errorOf(problem: Problem): object {
  return {
    type: errorTypes[problem.status] ?? (problem.status < 500 ? "invalid_request_error" : "api_error"),
    message: problem.message,
  };
}
