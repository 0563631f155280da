import { expect, test } from "vitest";
import { shownAddress } from "./shown-address.ts";

const at = (provider: string, baseUrl?: string, env: Record<string, string> = {}) =>
  shownAddress({ provider, modelId: "m", ...(baseUrl === undefined ? {} : { baseUrl }) }, env);

test("the provider's own address is not shown", () => {
  expect(at("anthropic")).toBeUndefined();
  expect(at("openai", "https://api.openai.com/v1/")).toBeUndefined();
});

test("a proxy, a gateway and a server on this machine are shown", () => {
  expect(at("anthropic", "https://proxy.example.org")).toBe("https://proxy.example.org/v1");
  expect(at("openai", undefined, { OPENAI_BASE_URL: "http://127.0.0.1:4010/v1" })).toBe("http://127.0.0.1:4010/v1");
  expect(at("ollama")).toBe("http://127.0.0.1:11434/v1");
});

test("secrets in an address are not shown", () => {
  const secret = "sk-ant-api03-abcdefghij0123456789";
  expect(at("openai", `https://proxy.example.org/v1?api_key=${secret}#${secret}`)).toBe("https://proxy.example.org/v1");
  expect(at("openai", `https://proxy.example.org/${secret}/v1`)).not.toContain(secret);
});

test.each([
  ["0123456789abcdef0123", "…"],
  ["0123456789abcdef012", "0123456789abcdef012"],
  ["8f14e45f-ceea-467f-a0e6-b4d1c1d5f0aa", "…"],
  ["aGVsbG9Xb3JsZEhlbGxv", "…"],
  ["qwertyuiopasdfghjklzxcvbnm", "…"],
  ["dGhlLWtleQ%3D%3DdGhlLWtleQ", "…"],
  ["openai-compatible-servers", "openai-compatible-servers"],
])("a path segment that looks random is replaced: %s", (segment, shown) => {
  expect(at("openai", `https://proxy.example.org/v1/${segment}/openai`)).toBe(
    `https://proxy.example.org/v1/${shown}/openai`,
  );
});
