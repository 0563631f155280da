import { APICallError } from "@ai-sdk/provider";
import type { Fault } from "./fault.ts";
import { describeStatus } from "./status-messages.ts";

/** The error of a refused request, as the provider packages throw it; undefined when the fault comes later. */
export function refusalOf(fault: Fault): APICallError | undefined {
  switch (fault.type) {
    case "status": {
      const headers = {
        ...fault.headers,
        ...(fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) }),
      };
      return apiError(fault.message ?? describeStatus(fault.status), {
        status: fault.status,
        headers,
        ...(fault.body === undefined ? {} : { body: fault.body }),
      });
    }
    case "context-too-long":
      return apiError("prompt is too long: 210000 tokens > 200000 maximum", { status: 400 });
    case "redirect":
      return apiError(`The server redirects to ${fault.to}.`, {
        status: fault.status ?? 307,
        headers: { location: fault.to },
      });
    default:
      return undefined;
  }
}

/** The error of a connection that broke inside a reply, wrapped as `fetch` and the provider packages do. */
export function brokenConnection(code: "ECONNRESET" | "UND_ERR_SOCKET"): APICallError {
  const socketError = Object.assign(new Error(code === "ECONNRESET" ? "read ECONNRESET" : "other side closed"), {
    code,
  });
  const cause = new TypeError("terminated", { cause: socketError });
  return apiError("Failed to process successful response", { status: 200, cause, isRetryable: true });
}

/** Throws a mistake in the script as an error that is not worth a retry. */
export function scriptError(cause: unknown): never {
  throw apiError(cause instanceof Error ? cause.message : String(cause), { status: 400, cause });
}

interface ErrorDetails {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly cause?: unknown;
  readonly isRetryable?: boolean;
}

function apiError(message: string, details: ErrorDetails): APICallError {
  return new APICallError({
    message,
    url: "scripted://model",
    requestBodyValues: {},
    statusCode: details.status,
    responseHeaders: details.headers ?? {},
    ...(details.body === undefined ? {} : { responseBody: details.body }),
    ...(details.cause === undefined ? {} : { cause: details.cause }),
    ...(details.isRetryable === undefined ? {} : { isRetryable: details.isRetryable }),
  });
}
