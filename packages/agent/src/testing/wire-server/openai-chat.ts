import { isRecord } from "../../protocol/json.ts";
import type { ContentStep } from "../reply-steps.ts";
import { type ReportedUsage, sumOf } from "../reported-usage.ts";
import type { Frame } from "./frame.ts";
import { openaiError, openaiWire } from "./openai-wire.ts";
import type { ReplyHead, WireFormat } from "./wire-format.ts";

/** OpenAI's chat completions, which many other providers use; those send thinking in `reasoning_content`, as here. */
export const openaiChat: WireFormat = {
  ...openaiWire,
  name: "openai-chat",
  modelOf: (path, body) => (path.endsWith("/chat/completions") ? String(body["model"]) : undefined),
  writer,
  errorFrame: (problem) => ({ type: "json", data: { error: openaiError(problem) } }),
};

const finishReasons = { end: "stop", calls: "tool_calls", length: "length", refused: "content_filter" } as const;

function writer(head: ReplyHead): (step: ContentStep) => readonly Frame[] {
  const reportsUsage = isRecord(head.body["stream_options"]) && head.body["stream_options"]["include_usage"] === true;
  const base = {
    id: `chatcmpl-${head.index}`,
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: head.model,
    system_fingerprint: "fp_scripted",
  };
  const chunk = (choices: readonly unknown[], usage: object = reportsUsage ? { usage: null } : {}): Frame => ({
    type: "json",
    data: { ...base, choices, ...usage },
  });
  const choice = (delta: object, stop: string | null = null): Frame =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason: stop }]);

  return (step) => {
    switch (step.type) {
      case "start":
        return [choice({ role: "assistant", content: step.hasText ? "" : null })];
      case "open":
        if (step.block.type !== "call") return [];
        return [
          choice({
            tool_calls: [
              {
                index: step.block.number,
                id: step.block.id,
                type: "function",
                function: { name: step.block.tool, arguments: "" },
              },
            ],
          }),
        ];
      case "delta":
        if (step.block.type === "call")
          return [choice({ tool_calls: [{ index: step.block.number, function: { arguments: step.text } }] })];
        return [choice(step.block.type === "text" ? { content: step.text } : { reasoning_content: step.text })];
      case "close":
        return [];
      case "finish": {
        const usage = reportsUsage && step.usage !== "missing" ? [chunk([], { usage: usageOf(step.usage) })] : [];
        const reason = typeof step.stop === "string" ? finishReasons[step.stop] : step.stop.raw;
        return [choice({}, reason), ...usage, { type: "text", data: "[DONE]" }];
      }
      default:
        return step satisfies never;
    }
  };
}

function usageOf(usage: Exclude<ReportedUsage, "missing">): object | null {
  if (usage === null) return null;
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: sumOf(usage.input, usage.output),
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      ...(usage.cacheWrite === 0 ? {} : { cache_write_tokens: usage.cacheWrite }),
      audio_tokens: 0,
    },
    completion_tokens_details: {
      reasoning_tokens: usage.thinking,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
