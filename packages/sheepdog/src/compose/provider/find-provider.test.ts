import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { providerNames } from "@sheepdog/agent";
import { createPrices, createRunPrices } from "@sheepdog/records";
import { afterEach, describe, expect, test } from "vitest";
import { ollamaAddress } from "./find-ollama.ts";
import { findProvider } from "./find-provider.ts";
import { knownProviders } from "./known-providers.ts";

const unreachable: typeof fetch = () => Promise.reject(new TypeError("fetch failed"));

describe("by the keys in the environment", () => {
  test.each([
    [{ ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" }, "anthropic", "ANTHROPIC_API_KEY is set"],
    [{ OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" }, "openai", "OPENAI_API_KEY is set"],
    [{ GEMINI_API_KEY: "k", OPENROUTER_API_KEY: "k" }, "google", "GEMINI_API_KEY is set"],
    [{ GOOGLE_API_KEY: "k" }, "google", "GOOGLE_API_KEY is set"],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: "k", GOOGLE_API_KEY: "k" }, "google", "GOOGLE_GENERATIVE_AI_API_KEY is set"],
    [{ OPENROUTER_API_KEY: "k" }, "openrouter", "OPENROUTER_API_KEY is set"],
    [
      { ANTHROPIC_API_KEY: "", OPENAI_API_KEY: " \n", OPENROUTER_API_KEY: "k" },
      "openrouter",
      "OPENROUTER_API_KEY is set",
    ],
  ])("%j gives %s", async (env, provider, reason) => {
    expect(await findProvider(env, unreachable)).toMatchObject({ provider, reason });
  });

  test("nothing is found without a key and without Ollama", async () => {
    expect(await findProvider({ ANTHROPIC_API_KEY: "  " }, unreachable)).toBeUndefined();
  });

  test("with a key, no request is sent", async () => {
    const requests: string[] = [];
    await findProvider({ OPENAI_API_KEY: "k" }, async (url) => {
      requests.push(String(url));
      return new Response("{}");
    });
    expect(requests).toEqual([]);
  });
});

test("each known provider exists, and its default model has a price", async () => {
  const prices = await createPrices();
  for (const { provider, modelId } of knownProviders) {
    expect(providerNames).toContain(provider);
    const maxPrice = createRunPrices(prices, [{ provider, modelId }], Date.now).maxPrice(modelId, {
      input: 1_000_000,
      maxOutput: 1_000_000,
    });
    expect([modelId, maxPrice ?? 0]).toEqual([modelId, expect.toSatisfy((nanoUsd: number) => nanoUsd > 0)]);
  }
});

describe("a running Ollama", () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  async function ollama(answer: string, status = 200): Promise<string> {
    server = createServer((request, response) => {
      response.writeHead(request.url === "/api/tags" ? status : 404, { location: "/elsewhere" }).end(answer);
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    return `127.0.0.1:${(server.address() as AddressInfo).port}`; // a server on a port has this address
  }

  const tags = (...names: readonly unknown[]) => JSON.stringify({ models: names.map((name) => ({ name })) });

  test("gives its first chat model", async () => {
    const host = await ollama(tags("nomic-embed-text:latest", "qwen3:8b", "llama3.2:latest"));
    const found = {
      provider: "ollama",
      modelId: "qwen3:8b",
      reason: `Ollama runs at http://${host}`,
      baseUrl: `http://${host}/v1`,
    };
    expect(await findProvider({ OLLAMA_HOST: host })).toEqual(found);
    expect(await findProvider({ OLLAMA_BASE_URL: `http://${host}/v1` })).toEqual(found);
  });

  test.each([
    ["without models", tags(), 200],
    ["with invalid names", tags("\u001b[2Jred", "", 7, "x".repeat(300)), 200],
    ["that is something else", "<html>", 200],
    ["that answers null", "null", 200],
    ["that fails", "{}", 500],
    ["that redirects", "{}", 302],
  ])("%s is not used", async (_, answer, status) => {
    expect(await findProvider({ OLLAMA_HOST: await ollama(answer, status) })).toBeUndefined();
  });

  test("that does not answer in time is not used", async () => {
    server = createServer(() => {});
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    expect(await findProvider({ OLLAMA_HOST: `127.0.0.1:${(server.address() as AddressInfo).port}` })).toBeUndefined();
  });

  test.each([
    [{}, "http://127.0.0.1:11434"],
    [{ OLLAMA_HOST: " " }, "http://127.0.0.1:11434"],
    [{ OLLAMA_HOST: "0.0.0.0" }, "http://127.0.0.1:11434"],
    [{ OLLAMA_HOST: "[::]:4711" }, "http://127.0.0.1:4711"],
    [{ OLLAMA_HOST: "box" }, "http://box:11434"],
    [{ OLLAMA_HOST: "http://box" }, "http://box"],
    [{ OLLAMA_HOST: "https://box/ollama/" }, "https://box/ollama"],
    [{ OLLAMA_HOST: "a", OLLAMA_BASE_URL: "http://b:1/v1/" }, "http://b:1"],
    [{ OLLAMA_HOST: "http://" }, undefined],
    [{ OLLAMA_HOST: "file:///etc/passwd" }, undefined],
    [{ OLLAMA_HOST: "a b" }, undefined],
  ])("%j is at %s", (env, address) => {
    expect(ollamaAddress(env)).toBe(address);
  });

  test("is asked on this machine unless a variable names another address", async () => {
    const requests: string[] = [];
    await findProvider({}, async (url) => {
      requests.push(String(url));
      return new Response("{}");
    });
    expect(requests).toEqual(["http://127.0.0.1:11434/api/tags"]);
  });
});
