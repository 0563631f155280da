import { APICallError, InvalidResponseDataError, JSONParseError } from "@ai-sdk/provider";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { FailureKind } from "../protocol/failure-kind.ts";
import { toFailure } from "./failure.ts";

function refusal(
  statusCode: number,
  message: string,
  more: { responseBody?: string; responseHeaders?: Record<string, string> } = {},
): APICallError {
  return new APICallError({ message, url: "https://host/v1", requestBodyValues: {}, statusCode, ...more });
}

function broken(code: string): Error {
  return Object.assign(new TypeError("fetch failed"), {
    cause: Object.assign(new Error("system message"), { code }),
  });
}

test.each<[string, unknown, FailureKind, boolean]>([
  ["401", refusal(401, "Incorrect API key provided: my-own-key-1"), "auth", false],
  ["403", refusal(403, "Forbidden"), "auth", false],
  ["a bad key as 400", refusal(400, "API key not valid. Please pass a valid API key."), "auth", false],
  [
    "no money as 429",
    refusal(429, "You exceeded your current quota", { responseBody: '{"error":{"code":"insufficient_quota"}}' }),
    "auth",
    false,
  ],
  ["no money as 400", refusal(400, "Your credit balance is too low to access the API"), "auth", false],
  ["404", refusal(404, "model: claude-0"), "not-found", false],
  ["429", refusal(429, "Slow down"), "rate-limit", true],
  ["tokens per minute", refusal(429, "too many tokens"), "rate-limit", true],
  ["408", refusal(408, "Request timeout"), "timeout", true],
  ["409", refusal(409, "Conflict"), "overloaded", true],
  ["500", refusal(500, "Internal"), "overloaded", true],
  [
    "502 with a page",
    refusal(502, "Bad Gateway", { responseBody: "<html><body>nginx</body></html>" }),
    "overloaded",
    true,
  ],
  ["503", refusal(503, "Unavailable"), "overloaded", true],
  ["529", refusal(529, "Overloaded"), "overloaded", true],
  ["307", refusal(307, "Temporary Redirect"), "bad-response", false],
  ["400", refusal(400, "temperature must be between 0 and 1"), "unknown", false],
  [
    "Anthropic, too long",
    refusal(400, "prompt is too long: 208310 tokens > 200000 maximum"),
    "context-too-long",
    false,
  ],
  [
    "OpenAI, too long",
    refusal(400, "Bad Request", { responseBody: '{"error":{"code":"context_length_exceeded"}}' }),
    "context-too-long",
    false,
  ],
  [
    "Google, too long",
    refusal(400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
    "context-too-long",
    false,
  ],
  ["413", refusal(413, "Request too large"), "context-too-long", false],
  ["overloaded in the stream", { type: "overloaded_error", message: "Overloaded" }, "overloaded", true],
  ["rate limit in the stream", { error: { type: "rate_limit_error", message: "Slow down" } }, "rate-limit", true],
  [
    "failed in the stream",
    { type: "response.failed", response: { error: { code: "server_error", message: "Sorry" } } },
    "overloaded",
    true,
  ],
  ["Google in the stream", { code: 503, status: "UNAVAILABLE", message: "Try later" }, "overloaded", true],
  ["DNS", broken("ENOTFOUND"), "network", true],
  ["refused", broken("ECONNREFUSED"), "network", true],
  ["reset", broken("ECONNRESET"), "network", true],
  [
    "reset in the body",
    Object.assign(new TypeError("terminated"), { cause: { code: "UND_ERR_SOCKET" } }),
    "network",
    true,
  ],
  [
    "all addresses refused",
    new AggregateError([Object.assign(new Error("no"), { code: "ECONNREFUSED" })], ""),
    "network",
    true,
  ],
  ["bad certificate", broken("DEPTH_ZERO_SELF_SIGNED_CERT"), "network", false],
  ["TLS", broken("EPROTO"), "network", true],
  ["slow headers", broken("UND_ERR_HEADERS_TIMEOUT"), "timeout", true],
  ["timeout", new DOMException("timed out", "TimeoutError"), "timeout", true],
  ["abort", new DOMException("aborted", "AbortError"), "cancelled", false],
  ["bad JSON in the stream", new JSONParseError({ text: "{", cause: new Error("end") }), "bad-response", true],
  ["bad JSON as 500", refusal(500, 'Type validation failed: Value: {"secret":1}'), "bad-response", true],
  ["data too deep", new RangeError("Maximum call stack size exceeded"), "bad-response", true],
  ["bad data", new InvalidResponseDataError({ data: 1 }), "bad-response", true],
  ["undefined", undefined, "unknown", false],
  ["a string", "something broke", "unknown", false],
  ["an empty object", {}, "unknown", false],
])("%s", (_name, error, kind, isRetryable) => {
  expect(toFailure(error, 0)).toMatchObject({ kind, isRetryable });
});

test("the problem does not contain the key, in whatever words the provider refused it", () => {
  expect(toFailure(refusal(401, "Incorrect API key provided: my-own-key-1"), 0).problem).toBe(
    "The provider refused the API key (401): check that it is correct and may use this model.",
  );
  expect(
    toFailure(refusal(500, "failed with Authorization: Bearer sk-ant-api03-abcdefghijkl"), 0).problem,
  ).not.toContain("abcdefghijkl");
});

test("a 404 of the Responses API of another server names the provider for chat completions", () => {
  const at = (url: string) =>
    toFailure(new APICallError({ message: "Not Found", url, requestBodyValues: {}, statusCode: 404 }), 0).problem;
  expect(at("http://127.0.0.1:8080/v1/responses")).toBe(
    "The provider does not know this model or address (404). " +
      "The provider openai uses the Responses API; for a server with chat completions, " +
      'use --model openai-chat:<model> (model.provider = "openai-chat"). ' +
      "The server says: Not Found.",
  );
  expect(at("https://api.openai.com/v1/responses")).not.toContain("openai-chat");
  expect(at("http://127.0.0.1:8080/v1/chat/completions")).not.toContain("openai-chat");
});

test("a web page is not quoted, and a long message is cut", () => {
  expect(toFailure(refusal(502, "<html><body>nginx</body></html>"), 0).problem).toBe(
    "The provider failed (502): it answered with a web page instead of data.",
  );
  expect(toFailure(refusal(400, "long ".repeat(10_000)), 0).problem.length).toBeLessThanOrEqual(300);
});

test("a retryable failure has the wait that the provider asked for", () => {
  expect(toFailure(refusal(429, "Slow down", { responseHeaders: { "retry-after": "2" } }), 0).retryAfterMs).toBe(2_000);
  expect(toFailure(refusal(401, "No", { responseHeaders: { "retry-after": "2" } }), 0)).not.toHaveProperty(
    "retryAfterMs",
  );
});

test("it throws for no thrown value", () => {
  const round: { cause?: unknown } = {};
  round.cause = round;
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error("no");
      },
    },
  );
  for (const thrown of [round, hostile, Symbol("x"), 1n, () => 1, new Error("x", { cause: round }), null])
    expect(toFailure(thrown, 0).kind).toBe("unknown");
  fc.assert(fc.property(fc.anything(), (thrown) => /\S/.test(toFailure(thrown, 0).problem)));
});
