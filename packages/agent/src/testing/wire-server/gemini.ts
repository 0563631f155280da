import { parseJson } from "../../protocol/json.ts";
import type { CallBlock } from "../reply-blocks.ts";
import type { ContentStep } from "../reply-steps.ts";
import { type ReportedUsage, sumOf, withoutParts } from "../reported-usage.ts";
import type { Frame } from "./frame.ts";
import type { Problem, ReplyHead, WireFormat } from "./wire-format.ts";

const path = /\/models\/([^/:]+):streamGenerateContent$/;

/**
 * Google's Gemini: every event is a part of the response, a call comes in one event, mostly without an id, and no event
 * marks the end of the stream.
 */
export const gemini: WireFormat = {
  name: "gemini",
  modelOf: (requestPath) => path.exec(requestPath)?.[1],
  asksForStream: () => true,
  lineEnd: "\r\n",
  contentType: "text/event-stream",
  ping: { type: "comment", text: "keep-alive" },
  contextTooLong: {
    status: 400,
    message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  },
  writer,
  errorBody: (problem) => ({ error: errorOf(problem) }),
  errorFrame: (problem) => ({ type: "json", data: { error: errorOf(problem) } }),
};

const finishReasons = { end: "STOP", calls: "STOP", length: "MAX_TOKENS", refused: "SAFETY" } as const;

function writer(head: ReplyHead): (step: ContentStep) => readonly Frame[] {
  const chunk = (parts: readonly object[], fields: object = {}, usage: object = {}): object => ({
    candidates: [{ content: { parts, role: "model" }, ...fields, index: 0 }],
    ...usage,
    modelVersion: head.model,
    responseId: `reply_${head.index}`,
  });
  return (step) => {
    switch (step.type) {
      case "start":
      case "open":
        return [];
      case "delta":
        if (step.block.type === "call") return [];
        return [
          {
            type: "json",
            data: chunk([step.block.type === "text" ? { text: step.text } : { text: step.text, thought: true }]),
          },
        ];
      case "close":
        return step.block.type === "call" ? [callFrame(step.block, chunk)] : [];
      case "finish": {
        const reason = typeof step.stop === "string" ? finishReasons[step.stop] : step.stop.raw;
        const usage = step.usage === "missing" ? {} : { usageMetadata: usageOf(step.usage) };
        return [{ type: "json", data: chunk([{ text: "" }], reason === null ? {} : { finishReason: reason }, usage) }];
      }
      default:
        return step satisfies never;
    }
  };
}

/**
 * The arguments stand in the event as JSON, not as text. They are inserted as written, because they may be nested
 * deeper than `JSON.stringify` supports.
 */
function callFrame(block: CallBlock, chunk: (parts: readonly object[]) => object): Frame {
  const mark = "\u0000arguments\u0000";
  const functionCall = { ...(block.hasGivenId ? { id: block.id } : {}), name: block.tool, args: mark };
  const [head = "", tail = ""] = JSON.stringify(chunk([{ functionCall }])).split(JSON.stringify(mark));
  return { type: "text", data: head + argumentsOf(block.text) + tail };
}

/** Arguments that are not JSON are sent as a string, because the event itself must be JSON. */
function argumentsOf(text: string): string {
  return parseJson(text) === undefined ? JSON.stringify(text) : text;
}

function usageOf(usage: Exclude<ReportedUsage, "missing">): object | null {
  if (usage === null) return null;
  return {
    promptTokenCount: usage.input,
    cachedContentTokenCount: usage.cacheRead,
    candidatesTokenCount: withoutParts(usage.output, usage.thinking),
    thoughtsTokenCount: usage.thinking,
    totalTokenCount: sumOf(usage.input, usage.output),
  };
}

const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

/** Gemini has no 529: its body says 503 when it is overloaded. */
function errorOf(problem: Problem): object {
  const code = problem.status === 529 ? 503 : problem.status;
  return { code, message: problem.message, status: statusNames[code] ?? "UNKNOWN" };
}
