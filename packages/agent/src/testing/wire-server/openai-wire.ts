import type { Problem, WireFormat } from "./wire-format.ts";

const kinds: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  401: ["invalid_request_error", "invalid_api_key"],
  403: ["invalid_request_error", "unsupported_country_region_territory"],
  404: ["invalid_request_error", "model_not_found"],
  429: ["requests", "rate_limit_exceeded"],
};

/** The error object of both OpenAI formats. */
export function openaiError(problem: Problem): Readonly<Record<string, unknown>> {
  const [type, code] = kinds[problem.status] ?? [
    problem.status >= 500 ? "server_error" : "invalid_request_error",
    null,
  ];
  return { message: problem.message, type, param: null, code: problem.code ?? code };
}

/** The error of both OpenAI formats for a prompt that is too long. */
const openaiContextTooLong: Problem = {
  status: 400,
  message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  code: "context_length_exceeded",
};

/** The common part of both OpenAI formats. */
export const openaiWire: Pick<
  WireFormat,
  "asksForStream" | "lineEnd" | "contentType" | "ping" | "contextTooLong" | "errorBody"
> = {
  asksForStream: (body) => body["stream"] === true,
  lineEnd: "\n",
  contentType: "text/event-stream; charset=utf-8",
  ping: { type: "comment", text: "keep-alive" },
  contextTooLong: openaiContextTooLong,
  errorBody: (problem) => ({ error: openaiError(problem) }),
};
