import { APICallError } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import type { Sleep } from "../wait.ts";
import { type ReadReply, readReply, testProviders } from "./test-providers.ts";
import { useWireServer } from "./use-wire-server.ts";

const serve = useWireServer();

/** The reply, or the error. */
async function outcomeOf(
  reading: Promise<ReadReply>,
): Promise<{ readonly reply?: ReadReply; readonly error?: unknown }> {
  return reading.then(
    (reply) => ({ reply }),
    (error: unknown) => ({ error }),
  );
}

const text = "The quick brown dog herds the sheep back over the hill.";

describe.each(testProviders)("$name", ({ name, create }) => {
  test.each([2, "Wed, 21 Oct 2099 07:28:00 GMT", "1e9", -5])("gets Retry-After %s", async (retryAfter) => {
    const server = await serve([{ fault: { type: "status", status: 429, retryAfter } }]);
    const { error } = await outcomeOf(readReply(create(server.url)));
    if (!APICallError.isInstance(error)) throw new Error("There should be an API error.", { cause: error });
    expect([error.statusCode, error.isRetryable, error.responseHeaders?.["retry-after"]]).toEqual([
      429,
      true,
      String(retryAfter),
    ]);
  });

  test.each([500, 502, 503, 529, 401, 403, 404])(
    "gets status %i with a message that it understands",
    async (status) => {
      const server = await serve([{ fault: { type: "status", status, message: "The message." } }]);
      const { error } = await outcomeOf(readReply(create(server.url)));
      if (!APICallError.isInstance(error)) throw new Error("There should be an API error.", { cause: error });
      expect([error.statusCode, error.isRetryable, error.message]).toEqual([status, status >= 500, "The message."]);
    },
  );

  test("gets the error for a prompt that is too long", async () => {
    const server = await serve([{ fault: { type: "context-too-long" } }]);
    const { error } = await outcomeOf(readReply(create(server.url)));
    expect(error).toMatchObject({
      statusCode: 400,
      isRetryable: false,
      message: expect.stringMatching(/too long|maximum/),
    });
  });

  test("gets an error in the middle of the stream", async () => {
    const server = await serve([{ text, fault: { type: "error", after: 3 } }]);
    const { reply } = await outcomeOf(readReply(create(server.url)));
    expect(reply?.text).toBe(text.slice(0, 36));
    expect(JSON.stringify(reply?.errors)).toMatch(/overloaded/i);
    expect(reply?.finish?.unified).not.toBe("stop");
  });

  test("gets an error as the first event", async () => {
    const server = await serve([{ text, fault: { type: "error", after: 0, message: "Overloaded" } }]);
    const { reply, error } = await outcomeOf(readReply(create(server.url)));
    expect(JSON.stringify(reply?.errors ?? error)).toMatch(/overloaded/i);
  });

  test.each(["eof", "cut", "reset"] as const)("gets no finish when the connection ends by %s", async (type) => {
    const server = await serve([{ text, fault: { type, after: 3 } }]);
    const { reply, error } = await outcomeOf(readReply(create(server.url)));
    if (type === "eof") expect(reply?.text).toBe(text.slice(0, 36));
    else expect(error).toBeDefined();
    expect(reply?.finish?.raw).toBeUndefined();
    expect(await server.requests[0]?.outcome).toBe("sent");
  });

  test.each(["malformed", "doubled"] as const)(
    "gets an error for an event that is %s, and all others",
    async (type) => {
      const server = await serve([{ text, fault: { type, at: 2 } }]);
      const { reply } = await outcomeOf(readReply(create(server.url)));
      expect(reply?.errors).toHaveLength(1);
      expect(reply?.text).toBe(text.slice(0, 24) + text.slice(36));
    },
  );

  test("gets replacement characters for invalid UTF-8", async () => {
    const server = await serve([{ text, fault: { type: "bad-utf8", at: 2 } }], { framing: { chunkBytes: 1 } });
    const { reply } = await outcomeOf(readReply(create(server.url)));
    expect(reply?.text).toBe(`${text.slice(0, 36)}\ufffd\ufffd${text.slice(36)}`);
  });

  test("gets an empty reply from a proxy's HTML page", async () => {
    const server = await serve([{ fault: { type: "html" } }]);
    const { reply } = await outcomeOf(readReply(create(server.url)));
    expect([reply?.text, reply?.finish?.raw]).toEqual(["", undefined]);
  });

  test.each(["no-answer", "silence", "pings", "endless"] as const)(
    "can disconnect during %s, and the server notices",
    async (type) => {
      const disconnect = new AbortController();
      const server = await serve([
        () => {
          setImmediate(() => disconnect.abort());
          return { text, fault: type === "endless" || type === "no-answer" ? { type } : { type, after: 3 } };
        },
      ]);
      const { error } = await outcomeOf(readReply(create(server.url), disconnect.signal));
      expect(error).toBeDefined();
      expect(await server.requests[0]?.outcome).toBe("left");
    },
  );

  test("gets no part from pings", async () => {
    const disconnect = new AbortController();
    let sleeps = 0;
    const sleep: Sleep = async () => {
      sleeps += 1;
      if (sleeps === 50) disconnect.abort();
    };
    const server = await serve([{ text, fault: { type: "pings", after: 0 } }], { sleep });
    const parts: string[] = [];
    const read = async () => {
      const { stream } = await create(server.url).doStream({
        prompt: [{ role: "user", content: [{ type: "text", text: "Hi" }] }],
        abortSignal: disconnect.signal,
      });
      for await (const part of stream) parts.push(part.type);
    };
    await expect(read()).rejects.toThrow();
    expect(parts.filter((type) => type !== "stream-start")).toEqual([]);
    expect(await server.requests[0]?.outcome).toBe("left");
  });

  test("is disconnected when the server closes during silence", async () => {
    const server = await serve([{ text, fault: { type: "silence", after: 3 } }]);
    const reading = outcomeOf(readReply(create(server.url)));
    while (server.requests.length === 0) await new Promise(setImmediate);
    await server.close();
    expect((await reading).error).toBeDefined();
    expect(await server.requests[0]?.outcome).toBe("closed");
  });

  test("reads empty replies, blanks and replies with only thinking", async () => {
    const server = await serve([{}, { text: "" }, { text: " \n\t " }, { thinking: "Hm, well." }]);
    const model = create(server.url);
    const replies = [await readReply(model), await readReply(model), await readReply(model), await readReply(model)];
    expect(replies.map((reply) => reply.text)).toEqual(["", "", " \n\t ", ""]);
    expect(replies.map((reply) => [reply.finish?.unified, reply.errors])).toEqual(replies.map(() => ["stop", []]));
  });

  test("reads an unknown finish reason", async () => {
    const server = await serve([{ text, stop: { raw: "weird" } }]);
    expect((await readReply(create(server.url))).finish).toEqual({ unified: "other", raw: "weird" });
  });

  test("reads calls whatever the finish reason is", async () => {
    const server = await serve([
      { calls: [{ tool: "read", input: { path: "a" } }], stop: "end" },
      { text, stop: "calls" },
    ]);
    expect((await readReply(create(server.url))).calls).toHaveLength(1);
    expect((await readReply(create(server.url))).calls).toHaveLength(0);
  });

  test("reads no figures when none are sent, and nonsense unchanged", async () => {
    const server = await serve([
      { text, usage: "missing" },
      { text, usage: null },
      { text, usage: { input: "12", output: "7" } },
      { text, usage: { input: -5, output: 1e18 } },
    ]);
    const model = create(server.url);
    for (const _ of ["missing", "null", "text"]) {
      const { reply } = await outcomeOf(readReply(model));
      expect(reply?.usage?.outputTokens.total ?? 0).toBe(0);
    }
    const odd = await readReply(model);
    expect([odd.usage?.inputTokens.total, odd.usage?.outputTokens.total]).toEqual([-5, 1e18]);
  });

  test.each(['{"path":', "[]", '{"path":"a","path":"b"}', '{"constructor":{}}', "1e400"])(
    "reads the arguments %s unchanged",
    async (inputText) => {
      const server = await serve([{ calls: [{ tool: "read", inputText }] }]);
      const { reply } = await outcomeOf(readReply(create(server.url)));
      const expected =
        name === "google" && inputText !== '{"path":' ? JSON.stringify(JSON.parse(inputText)) : inputText;
      expect(reply?.calls.map((call) => call.input)).toEqual([expected]);
    },
  );

  test.each(["", "null", '"str"', '{"__proto__":{"isAdmin":true}}'])("survives the arguments %s", async (inputText) => {
    const server = await serve([{ calls: [{ tool: "read", inputText }] }]);
    const { reply } = await outcomeOf(readReply(create(server.url)));
    expect((reply?.calls.length ?? 0) + (reply?.errors.length ?? 0)).toBe(1);
    expect(Object.hasOwn(Object.prototype, "isAdmin")).toBe(false);
  });

  test("gets two calls with one id", async () => {
    const calls = ["a", "b"].map((path) => ({ tool: "read", input: { path }, id: "call_same" }));
    const server = await serve([{ calls }]);
    expect((await readReply(create(server.url))).calls.map((call) => call.input)).toEqual([
      '{"path":"a"}',
      '{"path":"b"}',
    ]);
  });
});

// `fetch` removes the authorization header at another origin, but not the key headers of Anthropic and Google.
test("a redirect leads to another origin, and custom API key headers are sent along", async () => {
  const elsewhere = await serve([], { afterLast: { text: "Elsewhere." } });
  const server = await serve([], { afterLast: { fault: { type: "redirect", to: elsewhere.url } } });
  for (const { create } of testProviders) expect((await readReply(create(server.url))).text).toBe("Elsewhere.");
  const keys = elsewhere.requests.map(
    ({ headers }) => headers["authorization"] ?? headers["x-api-key"] ?? headers["x-goog-api-key"],
  );
  expect(keys).toEqual(["key-1", undefined, undefined, "key-1", undefined]);
});

test("the sleep option is used before the headers and before each delta", async () => {
  const sleeps: number[] = [];
  const sleep: Sleep = async (ms) => {
    sleeps.push(ms);
  };
  const server = await serve([{ text: "x".repeat(36), delayMs: 5_000, deltaDelayMs: 70 }], { sleep });
  const response = await fetch(`${server.url}/v1/messages`, { method: "POST", body: '{"model":"m","stream":true}' });
  expect(await response.text()).toContain("message_stop");
  expect(sleeps).toEqual([5_000, 70, 70, 70]);
});
