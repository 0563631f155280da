import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { AgentEventBody } from "../protocol/events.ts";
import { textOf } from "../protocol/messages.ts";
import { type FaultyTurn, faultyTurns } from "../testing/faulty-turns.ts";
import type { Script } from "../testing/script.ts";
import { startWireServer } from "../testing/wire-server/start-wire-server.ts";
import type { WireRequest } from "../testing/wire-server/wire-server.ts";
import { ok, type Tool } from "../tools/tool.ts";
import { findModel } from "./find-model.ts";
import { requestModel } from "./model-request.ts";

const read: Tool = {
  name: "read",
  description: "Reads a file.",
  input: z.object({ path: z.string() }),
  kind: "read",
  run: async () => ok(""),
};
const providers = ["anthropic", "openai", "openai-chat", "google", "openai-compatible"] as const;
const apiKey = "key-that-nobody-may-see";

/** Asks through a provider's real package, over a real connection. */
async function ask(provider: (typeof providers)[number], script: Script<WireRequest>, betweenMs = 0) {
  const server = await startWireServer(script, { afterLast: script.at(-1) ?? "error" });
  onTestFinished(() => server.close());
  const events: AgentEventBody[] = [];
  const started: string[] = [];
  let ids = 0;
  const answer = await requestModel(
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
      onDelta: () => "go-on",
      onWaiting: () => undefined,
      onAttemptStart: () => void started.push(""),
      clock: { now: () => 0, sleep: async () => undefined, random: () => 0, newId: (prefix) => `${prefix}_${++ids}` },
    },
  );
  return { answer, events, started, server };
}

test.each(providers)("%s: thinking, text and calls arrive, with what they used", async (provider) => {
  const turn = {
    text: "I look, Grüße 😀.",
    calls: [{ tool: "read", input: { path: "a.txt" }, id: "call_1" }],
    usage: { input: 120, cacheRead: 20, output: 9 },
    framing: { chunkBytes: 7 },
  };
  const { answer } = await ask(provider, [turn]);
  expect(answer).toMatchObject({
    ok: true,
    attempts: 1,
    message: {
      stop: "calls",
      usage: { input: 120, cacheRead: 20, output: 9, isEstimated: false },
      parts: [{ text: turn.text }, { type: "call", tool: "read", input: { path: "a.txt" } }],
    },
  });
});

test.each(providers)("%s: refused, overloaded in the middle, then well", async (provider) => {
  const script: Script<WireRequest> = [
    { text: "Half a reply that will not do", fault: { type: "error", after: 2 } },
    { text: "Whole." },
  ];
  const { answer } = await ask(provider, script);
  expect(answer).toMatchObject({ ok: true, attempts: 2 });
  expect(answer.ok && textOf(answer.message)).toBe("Whole.");
});

test.each(providers)("%s: calls of a connection that ends without a finish are not to be run", async (provider) => {
  const { answer } = await ask(provider, [
    { calls: [{ tool: "read", input: { path: "a.txt" } }], fault: { type: "eof" } },
  ]);
  expect(answer).toMatchObject({
    ok: true,
    message: { stop: "incomplete", parts: [{ type: "call", input: undefined }] },
  });
});

test.each(providers)("%s: signs of life without content do not count as such", async (provider) => {
  const { answer } = await ask(
    provider,
    [{ text: "Half a reply", fault: { type: "pings", after: 1, everyMs: 5 } }],
    60,
  );
  expect(answer).toMatchObject({ ok: false, attempts: 2, failure: { kind: "timeout" } });
});

test.each(providers)("%s: a redirect is not followed, so the key stays here", async (provider) => {
  const elsewhere = await startWireServer([], { afterLast: { text: "Thanks for the key." } });
  onTestFinished(() => elsewhere.close());
  const { answer } = await ask(provider, [{ fault: { type: "redirect", to: elsewhere.url, status: 307 } }]);
  expect(answer).toMatchObject({ ok: false, attempts: 1, failure: { kind: "bad-response" } });
  expect(elsewhere.requests).toEqual([]);
});

test("OpenAI is asked to keep nothing", async () => {
  const { server } = await ask("openai", [{ text: "Hi." }]);
  expect(server.requests[0]?.body).toMatchObject({ store: false });
});

test("Anthropic is asked to cache the beginning of the conversation", async () => {
  const { server } = await ask("anthropic", [{ text: "Hi." }]);
  expect(server.requests[0]?.text.match(/cache_control/g)).toHaveLength(2);
});

test("nothing listens where the provider should be", async () => {
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
    hear: () => "go-on" as const,
    waiting: nothing,
    started: nothing,
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

/** How long to wait for a turn that never ends by itself. What OpenAI's package does not read of a chat (thinking) is silence. */
function patienceMs(provider: string, { turn, isEndless }: FaultyTurn): number {
  if (isEndless !== true) return 0;
  return turn.fault?.type === "endless" && provider !== "openai-chat" ? 20_000 : 40;
}

for (const provider of providers) {
  test.each(faultyTurns.map((faulty) => [faulty.name, faulty] as const))(
    `${provider} survives %s`,
    async (_name, faulty) => {
      const { answer, events, started } = await ask(provider, [faulty.turn], patienceMs(provider, faulty));
      if (patienceMs(provider, faulty) > 40) expect(answer).toMatchObject({ ok: true, message: { stop: "length" } });
      expect(events.filter((event) => event.type === "StreamEnd")).toHaveLength(started.length);
      expect(JSON.stringify([answer, events])).not.toContain(apiKey);
      if (!answer.ok) return expect(answer.failure.problem).toMatch(/\.$|…$/);
      const ids = answer.message.parts.flatMap((part) => (part.type === "call" ? [part.id] : []));
      expect(new Set(ids).size).toBe(ids.length);
      expect(answer.message.usage.input).toBeGreaterThan(0);
      for (const part of answer.message.parts)
        if (part.type === "call" && answer.message.stop !== "calls") expect(part.input).toBeUndefined();
    },
  );
}
