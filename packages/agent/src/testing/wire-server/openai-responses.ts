import type { CallBlock, ReplyBlock } from "../reply-blocks.ts";
import type { ContentStep } from "../reply-steps.ts";
import { type ReportedUsage, sumOf } from "../reported-usage.ts";
import type { Frame } from "./frame.ts";
import { openaiError, openaiWire } from "./openai-wire.ts";
import type { ReplyHead, WireFormat } from "./wire-format.ts";

/** OpenAI's responses: every event is numbered, and every item is repeated when it is done. */
export const openaiResponses: WireFormat = {
  ...openaiWire,
  name: "openai-responses",
  modelOf: (path, body) => (path.endsWith("/responses") ? String(body["model"]) : undefined),
  writer,
  errorFrame: (problem) => ({
    type: "json",
    event: "error",
    data: { type: "error", sequence_number: 0, error: openaiError(problem) },
  }),
};

/** An event without its sequence number. */
interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

function writer(head: ReplyHead): (step: ContentStep) => readonly Frame[] {
  let sequence = 0;
  const items: object[] = [];
  const response = (fields: object) => ({
    id: `resp_${head.index}`,
    object: "response",
    created_at: 1_700_000_000,
    model: head.model,
    error: null,
    incomplete_details: null,
    ...fields,
  });

  const eventsOf = (step: ContentStep): readonly Event[] => {
    switch (step.type) {
      case "start": {
        const started = response({ status: "in_progress", output: [], usage: null });
        return [
          { type: "response.created", response: started },
          { type: "response.in_progress", response: started },
        ];
      }
      case "open":
        return openEvents(step.block, head);
      case "delta":
        return [{ ...deltaEvent(step.block), ...positionOf(step.block, head), delta: step.text }];
      case "close":
        items.push(itemOf(step.block, head, "completed"));
        return closeEvents(step.block, head);
      case "finish": {
        const reason = incompleteReason(step);
        const usage = step.usage === "missing" ? {} : { usage: usageOf(step.usage) };
        const ended = { output: items, ...usage };
        if (reason === undefined)
          return [{ type: "response.completed", response: response({ status: "completed", ...ended }) }];
        return [
          {
            type: "response.incomplete",
            response: response({ status: "incomplete", incomplete_details: { reason }, ...ended }),
          },
        ];
      }
      default:
        return step satisfies never;
    }
  };
  return (step) =>
    eventsOf(step).map(({ type, ...fields }) => ({
      type: "json",
      event: type,
      data: { type, sequence_number: sequence++, ...fields },
    }));
}

/** This format has no stop reason for a normal end, with or without calls. */
function incompleteReason(step: Extract<ContentStep, { readonly type: "finish" }>): string | undefined {
  if (step.stop === "length") return "max_output_tokens";
  return typeof step.stop === "string" ? undefined : (step.stop.raw ?? undefined);
}

function openEvents(block: ReplyBlock, head: ReplyHead): readonly Event[] {
  const added: Event = {
    type: "response.output_item.added",
    output_index: block.index,
    item: itemOf(block, head, "in_progress"),
  };
  if (block.type === "call") return [added];
  const part = block.type === "text" ? "response.content_part.added" : "response.reasoning_summary_part.added";
  return [added, { type: part, ...positionOf(block, head), part: partOf(block, "") }];
}

function closeEvents(block: ReplyBlock, head: ReplyHead): readonly Event[] {
  const position = positionOf(block, head);
  const done: Event = {
    type: "response.output_item.done",
    output_index: block.index,
    item: itemOf(block, head, "completed"),
  };
  switch (block.type) {
    case "call":
      return [{ type: "response.function_call_arguments.done", ...position, arguments: block.text }, done];
    case "text": {
      const textDone = block.isRefusal
        ? { type: "response.refusal.done", refusal: block.text }
        : { type: "response.output_text.done", text: block.text, logprobs: [] };
      return [
        { ...textDone, ...position },
        { type: "response.content_part.done", ...position, part: partOf(block, block.text) },
        done,
      ];
    }
    case "thinking":
      return [
        { type: "response.reasoning_summary_text.done", ...position, text: block.text },
        { type: "response.reasoning_summary_part.done", ...position, part: partOf(block, block.text) },
        done,
      ];
    default:
      return block satisfies never;
  }
}

function deltaEvent(block: ReplyBlock): Event {
  if (block.type === "call") return { type: "response.function_call_arguments.delta" };
  if (block.type === "thinking") return { type: "response.reasoning_summary_text.delta" };
  return block.isRefusal ? { type: "response.refusal.delta" } : { type: "response.output_text.delta", logprobs: [] };
}

const prefixes = { thinking: "rs", text: "msg", call: "fc" } as const;

function itemId(block: ReplyBlock, head: ReplyHead): string {
  return `${prefixes[block.type]}_${head.index}_${block.index}`;
}

function positionOf(block: ReplyBlock, head: ReplyHead): object {
  const part = { call: {}, text: { content_index: 0 }, thinking: { summary_index: 0 } } as const;
  return { item_id: itemId(block, head), output_index: block.index, ...part[block.type] };
}

function partOf(block: Exclude<ReplyBlock, CallBlock>, text: string): object {
  if (block.type === "thinking") return { type: "summary_text", text };
  return block.isRefusal
    ? { type: "refusal", refusal: text }
    : { type: "output_text", text, annotations: [], logprobs: [] };
}

function itemOf(block: ReplyBlock, head: ReplyHead, status: "in_progress" | "completed"): object {
  const id = itemId(block, head);
  const isDone = status === "completed";
  switch (block.type) {
    case "thinking":
      return {
        id,
        type: "reasoning",
        summary: isDone ? [partOf(block, block.text)] : [],
        ...(block.signature === undefined ? {} : { encrypted_content: block.signature }),
      };
    case "text":
      return { id, type: "message", status, role: "assistant", content: isDone ? [partOf(block, block.text)] : [] };
    case "call":
      return {
        id,
        type: "function_call",
        status,
        call_id: block.id,
        name: block.tool,
        arguments: isDone ? block.text : "",
      };
    default:
      return block satisfies never;
  }
}

function usageOf(usage: Exclude<ReportedUsage, "missing">): object | null {
  if (usage === null) return null;
  return {
    input_tokens: usage.input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      ...(usage.cacheWrite === 0 ? {} : { cache_write_tokens: usage.cacheWrite }),
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.thinking },
    total_tokens: sumOf(usage.input, usage.output),
  };
}
