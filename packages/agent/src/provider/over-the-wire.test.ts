import { expect, onTestFinished, test } from "vitest";
import type { AgentEventBody } from "../protocol/events.ts";
import { textOf } from "../protocol/messages.ts";
import type { ToolDefinition } from "../protocol/tool-definition.ts";
import { type FaultyTurn, faultyTurns } from "../testing/faulty-turns.ts";
import type { Script } from "../testing/script.ts";
import { startWireServer } from "../testing/wire-server/start-wire-server.ts";
import type { WireRequest } from "../testing/wire-server/wire-server.ts";
import { findModel } from "./find-model.ts";
import { requestModel } from "./model-request.ts";

const read: ToolDefinition = {
  name: "read",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};
const providers = ["anthropic", "openai", "openai-chat", "google", "openai-compatible"] as const;
const apiKey = "key-that-must-stay-secret";

const estimates = { inputTokens: 10, countTokens: (text: string) => Math.ceil(text.length / 3) };

/** Sends a request through a provider's real package, over a real connection. */
async function request(provider: (typeof providers)[number], script: Script<WireRequest>, betweenMs = 0) {
  const server = await startWireServer(script, { afterLast: script.at(-1) ?? "error" });
  onTestFinished(() => server.close());
  const events: AgentEventBody[] = [];
  const started: string[] = [];
  let ids = 0;
  const response = await requestModel(
    {
      system: "You are.",
      messages: [{ role: "user", id: "u", at: 0, origin: "person", text: "Go." }],
      tools: [read],
      maxOutputTokens: 1_000,
    },
    {
      models: [await findModel({ provider, modelId: "m", baseUrl: server.url, apiKey }, {})],
      maxRetries: 1,
      firstByteMs: betweenMs,
      betweenMs,
      signal: new AbortController().signal,
      emit: (event) => void events.push(event),
      ...estimates,
      onDelta: () => "continue",
      onWaiting: () => undefined,
      onAttemptStart: () => void started.push(""),
      clock: { now: () => 0, sleep: async () => undefined, random: () => 0, newId: (prefix) => `${prefix}_${++ids}` },
    },
  );
  return { response, events, started, server };
}

test.each(providers)("%s: thinking, text and calls arrive, with their usage", async (provider) => {
  const turn = {
    text: "I look, Grüße 😀.",
    calls: [{ tool: "read", input: { path: "a.txt" }, id: "call_1" }],
    usage: { input: 120, cacheRead: 20, output: 9 },
    framing: { chunkBytes: 7 },
  };
  const { response } = await request(provider, [turn]);
  expect(response).toMatchObject({
    ok: true,
    attempts: 1,
    message: {
      stop: "calls",
      usage: { input: 120, cacheRead: 20, output: 9, isEstimated: false },
      parts: [{ text: turn.text }, { type: "call", tool: "read", input: { path: "a.txt" } }],
    },
  });
});

test.each(providers)("%s: an error in the middle of a reply is retried", async (provider) => {
  const script: Script<WireRequest> = [
    { text: "Half a reply that will not do", fault: { type: "error", after: 2 } },
    { text: "Whole." },
  ];
  const { response } = await request(provider, script);
  expect(response).toMatchObject({ ok: true, attempts: 2 });
  expect(response.ok && textOf(response.message)).toBe("Whole.");
});

test.each(providers)("%s: calls of a connection that ends without a finish must not run", async (provider) => {
  const { response } = await request(provider, [
    { calls: [{ tool: "read", input: { path: "a.txt" } }], fault: { type: "eof" } },
  ]);
  expect(response).toMatchObject({
    ok: true,
    message: { stop: "incomplete", parts: [{ type: "call", input: undefined }] },
  });
});

test.each(providers)("%s: pings do not count as activity", async (provider) => {
  const { response } = await request(
    provider,
    [{ text: "Half a reply", fault: { type: "pings", after: 1, everyMs: 5 } }],
    60,
  );
  expect(response).toMatchObject({ ok: false, attempts: 2, failure: { kind: "timeout" } });
});

test.each(providers)("%s: a redirect is not followed, so the key goes nowhere else", async (provider) => {
  const elsewhere = await startWireServer([], { afterLast: { text: "Thanks for the key." } });
  onTestFinished(() => elsewhere.close());
  const { response } = await request(provider, [{ fault: { type: "redirect", to: elsewhere.url, status: 307 } }]);
  expect(response).toMatchObject({ ok: false, attempts: 1, failure: { kind: "bad-response" } });
  expect(elsewhere.requests).toEqual([]);
});

test("OpenAI is asked to store nothing", async () => {
  const { server } = await request("openai", [{ text: "Hi." }]);
  expect(server.requests[0]?.body).toMatchObject({ store: false });
});

test("Anthropic is asked to cache the beginning of the conversation", async () => {
  const { server } = await request("anthropic", [{ text: "Hi." }]);
  expect(server.requests[0]?.text.match(/cache_control/g)).toHaveLength(2);
});

test.each(["cut", "reset"] as const)(
  "a stream that breaks off (%s) has the input that Anthropic reported at its start",
  async (type) => {
    const usage = { input: 127, output: 5, cacheRead: 100 };
    const { response } = await request("anthropic", [
      { text: "The sheep went home.", deltaChars: 4, usage, fault: { after: 3, type } },
    ]);
    expect(response.attemptUsages[0]?.usage).toMatchObject({ input: 127, cacheRead: 100, isEstimated: true });
    expect(response.attemptUsages[0]?.usage?.output).toBeGreaterThan(0);
  },
);

test("a provider that does not listen is reported with its code", async () => {
  const server = await startWireServer([]);
  await server.close();
  const model = await findModel({ provider: "ollama", modelId: "m", baseUrl: server.url }, {});
  const nothing = () => undefined;
  const clock = { now: () => 0, sleep: async () => undefined, random: () => 0, newId: (prefix: string) => prefix };
  const options = {
    models: [model],
    maxRetries: 0,
    firstByteMs: 0,
    betweenMs: 0,
    signal: new AbortController().signal,
    emit: nothing,
    ...estimates,
    onDelta: () => "continue" as const,
    onWaiting: nothing,
    onAttemptStart: nothing,
    clock,
  };
  expect(
    await requestModel(
      {
        system: "",
        messages: [{ role: "user", id: "u", at: 0, origin: "person", text: "Go." }],
        tools: [],
        maxOutputTokens: 10,
      },
      options,
    ),
  ).toMatchObject({
    ok: false,
    failure: { kind: "network", problem: expect.stringContaining("ECONNREFUSED") },
  });
});

/** The timeout for a turn that never ends. OpenAI's package ignores thinking in a chat, so it counts as silence. */
function timeoutMs(provider: string, { turn, isEndless }: FaultyTurn): number {
  if (isEndless !== true) return 0;
  return turn.fault?.type === "endless" && provider !== "openai-chat" ? 20_000 : 40;
}

for (const provider of providers) {
  test.each(faultyTurns.map((faulty) => [faulty.name, faulty] as const))(
    `${provider} handles %s`,
    async (_name, faulty) => {
      const { response, events, started } = await request(provider, [faulty.turn], timeoutMs(provider, faulty));
      if (timeoutMs(provider, faulty) > 40) expect(response).toMatchObject({ ok: true, message: { stop: "overlong" } });
      expect(events.filter((event) => event.type === "StreamEnd")).toHaveLength(started.length);
      expect(JSON.stringify([response, events])).not.toContain(apiKey);
      if (!response.ok) return expect(response.failure.problem).toMatch(/\.$|…$/);
      const ids = response.message.parts.flatMap((part) => (part.type === "call" ? [part.id] : []));
      expect(new Set(ids).size).toBe(ids.length);
      expect(response.message.usage.input).toBeGreaterThan(0);
      for (const part of response.message.parts)
        if (part.type === "call" && response.message.stop !== "calls") expect(part.input).toBeUndefined();
    },
  );
}
