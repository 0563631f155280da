import { expect, test } from "vitest";
import { findModel } from "./find-model.ts";

test.each([
  ["anthropic:claude-sonnet-5", { ANTHROPIC_API_KEY: "k" }, "anthropic.messages", "claude-sonnet-5"],
  ["openai:gpt-5", { OPENAI_API_KEY: "k" }, "openai.responses", "gpt-5"],
  ["openai-chat:gpt-5", { OPENAI_API_KEY: "k" }, "openai.chat", "gpt-5"],
  ["google:gemini-3-pro", { GEMINI_API_KEY: "k" }, "google.generative-ai", "gemini-3-pro"],
  ["openrouter:moonshotai/kimi-k2", { OPENROUTER_API_KEY: "k" }, "openrouter.chat", "moonshotai/kimi-k2"],
  ["ollama:qwen3:8b", {}, "ollama.chat", "qwen3:8b"],
  ["lmstudio:local", {}, "lmstudio.chat", "local"],
  ["vllm:local", { VLLM_BASE_URL: "https://gpu.example" }, "vllm.chat", "local"],
])("%s is found", async (name, env, provider, modelId) => {
  expect(await findModel(name, env)).toMatchObject({ provider, modelId });
});

test.each([
  ["anthropic:claude-sonnet-5", "There is no API key for anthropic: set ANTHROPIC_API_KEY."],
  ["google:gemini-3-pro", "set GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY or GOOGLE_API_KEY"],
  ["claude-sonnet-5", 'write it like "anthropic:claude-sonnet-5"'],
  ["", 'write it like "anthropic:<model>"'],
  ["anthropc:claude", 'There is no provider "anthropc"; there are anthropic, openai'],
  ["constructor:x", "There is no provider"],
  ["ollama:", "The model is missing"],
  ["openai-compatible:x", "set model.base_url, or OPENAI_COMPATIBLE_BASE_URL"],
])("%s is refused with a sentence that says what to set", async (name, words) => {
  await expect(findModel(name, { ANTHROPIC_API_KEY: " " })).rejects.toThrow(words);
});

test("a key with a line break inside is refused and not quoted", async () => {
  const failing = findModel({ provider: "openai", modelId: "gpt-5", apiKey: "sec\nret" }, {});
  await expect(failing).rejects.toThrow("copy it again");
  await expect(failing).rejects.not.toThrow("sec");
});

const at = (baseUrl: string, isPlainHttpAllowed?: boolean) =>
  findModel(
    {
      provider: "openai-compatible",
      modelId: "m",
      baseUrl,
      ...(isPlainHttpAllowed === undefined ? {} : { isPlainHttpAllowed }),
    },
    {},
  );

test.each([
  ["http://example.com/v1", "plain http"],
  ["http://192.168.1.5:11434/v1", "plain http"],
  ["http://127.0.0.1.evil.example/v1", "plain http"],
  ["http://localhost.evil.example/v1", "plain http"],
  ["https://169.254.169.254/latest", "refused"],
  ["http://0xA9FEA9FE/", "refused"],
  ["http://[::ffff:169.254.169.254]/", "refused"],
  ["http://metadata.google.internal/", "refused"],
  ["https://user:pass@example.com/v1", "give the key as the API key"],
  ["file:///etc/passwd", "not an http(s) address"],
  ["example.com", "not an http(s) address"],
])("%s is refused as a base URL", async (baseUrl, words) => {
  await expect(at(baseUrl)).rejects.toThrow(words);
});

test("this machine, https, and explicitly allowed plain http are accepted", async () => {
  for (const baseUrl of ["http://localhost:1", "http://127.1.2.3:1/v1", "http://[::1]:1/v1", "https://example.com/v1"])
    expect(await at(baseUrl)).toBeDefined();
  expect(await at("http://192.168.1.5:11434/v1", true)).toBeDefined();
});

test("a link-local address is refused even if plain http is allowed", async () => {
  await expect(at("http://169.254.169.254/v1", true)).rejects.toThrow("refused");
});
