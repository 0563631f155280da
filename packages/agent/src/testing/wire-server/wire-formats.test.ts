import { describe, expect, test } from "vitest";
import type { ScriptedTurn } from "../script.ts";
import { readReply, testProviders } from "./test-providers.ts";
import { useWireServer } from "./use-wire-server.ts";

const serve = useWireServer();

const usage = { input: 127, cacheRead: 100, cacheWrite: 0, output: 37, thinking: 12 };
const turn: ScriptedTurn = {
  thinking: "I should look at both files first.",
  text: "Let me look — “naïve” 🐑🐕 and 漢字.",
  calls: [
    { tool: "read", input: { path: "a.txt" } },
    { tool: "read", input: { path: "dir/b.txt", deep: { list: [1, "zwei", null] } } },
  ],
  usage,
};
const thinks = (name: string) => name !== "openai chat";
const lastEventIsDone = (name: string) => name === "openai chat" || name === "openai-compatible";

describe.each(testProviders)("$name", ({ name, create }) => {
  test("reads text, thinking, calls and usage", async () => {
    const server = await serve([turn]);
    const reply = await readReply(create(server.url));
    expect(reply.errors).toEqual([]);
    expect(reply.text).toBe(turn.text);
    expect(reply.thinking).toBe(thinks(name) ? turn.thinking : "");
    expect(reply.calls.map((call) => [call.tool, JSON.parse(call.input)])).toEqual(
      turn.calls?.map((call) => [call.tool, call.input]),
    );
    expect(reply.inputDeltas).toBe(reply.calls.map((call) => call.input).join(""));
    if (name !== "google") expect(reply.calls.map((call) => call.id)).toEqual(["call_0_0", "call_0_1"]);
    expect(reply.finish?.unified).toBe("tool-calls");
    expect(reply.usage?.inputTokens).toMatchObject({ total: 127, noCache: 27, cacheRead: 100 });
    expect(reply.usage?.outputTokens.total).toBe(37);
  });

  test("gets a text in many deltas", async () => {
    const server = await serve([{ text: "x".repeat(240) }]);
    expect((await readReply(create(server.url))).deltas).toBeGreaterThanOrEqual(20);
  });

  test("gets a plain answer with its finish", async () => {
    const server = await serve([{ text: "Hello there, this is the answer." }]);
    const reply = await readReply(create(server.url));
    expect([reply.text, reply.calls, reply.finish?.unified]).toEqual(["Hello there, this is the answer.", [], "stop"]);
    expect(reply.usage?.inputTokens.total).toBeGreaterThan(0);
  });

  test("gets the finish reasons for the token limit and for a refusal", async () => {
    const server = await serve([
      { text: "Once upon", stop: "length" },
      { text: "I cannot help with that.", stop: "refused" },
    ]);
    expect((await readReply(create(server.url))).finish?.unified).toBe("length");
    const refused = await readReply(create(server.url));
    expect([refused.text, refused.finish?.unified]).toEqual(["I cannot help with that.", "content-filter"]);
  });

  test("sends a request that a turn function can read", async () => {
    const server = await serve([
      (request) => ({ text: `${request.model} ${request.text.includes("Hello")} ${request.format}` }),
    ]);
    const reply = await readReply(create(server.url));
    expect(reply.text).toBe(`${server.requests[0]?.model} true ${server.requests[0]?.format}`);
    expect(await server.requests[0]?.outcome).toBe("sent");
  });

  test.each([1, 2, 3, 7, 16, 64])("reads a body in chunks of %i bytes, which split characters", async (chunkBytes) => {
    const server = await serve([turn], { framing: { chunkBytes } });
    const reply = await readReply(create(server.url));
    expect([reply.errors, reply.text, reply.calls.length, reply.finish?.unified]).toEqual([
      [],
      turn.text,
      2,
      "tool-calls",
    ]);
  });

  test.each(["\n", "\r\n"] as const)("reads lines that end in %j, also byte by byte", async (lineEnd) => {
    for (const framing of [{ lineEnd }, { lineEnd, chunkBytes: 1 }]) {
      const server = await serve([turn], { framing });
      const reply = await readReply(create(server.url));
      expect([reply.errors, reply.text, reply.finish?.unified]).toEqual([[], turn.text, "tool-calls"]);
    }
  });

  // After the last carriage return the parser of the packages waits for a line feed, and so loses the last event.
  test("reads lines that end in a bare carriage return, except for the last event", async () => {
    for (const framing of [{ lineEnd: "\r" as const }, { lineEnd: "\r" as const, chunkBytes: 1 }]) {
      const server = await serve([turn], { framing });
      const reply = await readReply(create(server.url));
      expect([reply.errors, reply.text]).toEqual([[], turn.text]);
      expect(reply.finish?.raw).toBe(lastEventIsDone(name) ? "tool_calls" : undefined);
    }
  });

  test("reads data over several lines and a byte order mark", async () => {
    const server = await serve([turn], { framing: { isMultiLine: true, hasBom: true, chunkBytes: 5 } });
    const reply = await readReply(create(server.url));
    expect([reply.errors, reply.text, reply.calls.length]).toEqual([[], turn.text, 2]);
  });

  test("reads an event of a megabyte", async () => {
    const text = "sheep ".repeat(200_000);
    const server = await serve([{ text, deltaChars: text.length }]);
    expect((await readReply(create(server.url))).text.length).toBe(text.length);
  });
});

test("thinking comes with a signature from Anthropic", async () => {
  const server = await serve([{ thinking: "Hm.", text: "Yes.", signature: "c2lnbmVk" }, { thinking: "Hm." }]);
  const [anthropic] = testProviders;
  if (anthropic === undefined) throw new Error("There should be providers.");
  expect((await readReply(anthropic.create(server.url))).signature).toBe("c2lnbmVk");
  expect((await readReply(anthropic.create(server.url))).signature).toMatch(/^[A-Za-z0-9+/=]+$/);
});

test("a request that is not streamed gets a sentence about it, and uses no turn", async () => {
  const server = await serve([{ text: "unused" }]);
  const post = async (path: string, body: string) => {
    const response = await fetch(`${server.url}${path}`, { method: "POST", body });
    return `${response.status} ${await response.text()}`;
  };
  expect(await post("/v1/embeddings", "{}")).toMatch(/^404 .*no \/v1\/embeddings here/);
  expect(await post("/v1/messages", "not json")).toMatch(/^400 .*JSON object/);
  expect(await post("/v1/messages", "[]")).toMatch(/^400 .*JSON object/);
  expect(await post("/v1/chat/completions", '{"model":"m"}')).toMatch(/^400 .*only streams/);
  expect(server.requests).toEqual([]);
});

test("a script that is over, a turn that throws and a fault that cannot occur become a 400", async () => {
  const server = await serve([
    () => {
      throw new Error("no idea");
    },
    { text: "short", fault: { type: "eof", after: 9 } },
  ]);
  const post = async () =>
    (await fetch(`${server.url}/v1/messages`, { method: "POST", body: '{"model":"m","stream":true}' })).text();
  expect(await post()).toMatch(/no idea/);
  expect(await post()).toMatch(/at least 9 deltas, and this turn has 1/);
  expect(await post()).toMatch(/has 2 turns, and this is request 3/);
});
