import * as published from "@opentelemetry/semantic-conventions/incubating";
import { describe, expect, test } from "vitest";
import { finishReason } from "./content.ts";
import { attribute, CONVENTIONS_VERSION, EVALUATION_EVENT, operation } from "./conventions.ts";
import { own, spanEvent } from "./own-attributes.ts";
import { providerName } from "./provider-name.ts";
import conventions from "./testing/gen-ai-conventions.json" with { type: "json" };

const names = Object.entries(published).flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : []));
const namesWith = (prefix: string) => names.filter(([key = ""]) => key.startsWith(prefix)).map(([, value]) => value);

describe("the list of the conventions", () => {
  test("is of the version that is pinned", () => {
    expect(conventions.version).toBe(CONVENTIONS_VERSION);
  });

  test("has the attributes that the published package of that version has", () => {
    const deprecated = new Set(["gen_ai.prompt", "gen_ai.completion", "gen_ai.system"]);
    const listed = new Set(Object.keys(conventions.attributes));
    for (const name of listed)
      expect([...namesWith("ATTR_"), "error.type", "server.address", "server.port"]).toContain(name);
    const missing = namesWith("ATTR_GEN_AI_").filter((name = "") => !listed.has(name) && !deprecated.has(name));
    expect(missing.filter((name = "") => !/usage\.(?:prompt|completion)_tokens|\.openai\./.test(name))).toEqual([]);
  });

  test.each([
    ["gen_ai.operation.name", "GEN_AI_OPERATION_NAME_VALUE_"],
    ["gen_ai.provider.name", "GEN_AI_PROVIDER_NAME_VALUE_"],
    ["gen_ai.token.type", "GEN_AI_TOKEN_TYPE_VALUE_"],
  ] as const)("has the values of %s that the package has", (name, prefix) => {
    expect(conventions.attributes[name].values).toEqual([...new Set(namesWith(prefix))].sort());
  });
});

describe("the names that are used", () => {
  test("are attributes of the conventions", () => {
    for (const name of Object.values(attribute)) expect(Object.keys(conventions.attributes)).toContain(name);
  });

  test("are operations and events of the conventions", () => {
    for (const name of Object.values(operation))
      expect(conventions.attributes["gen_ai.operation.name"].values).toContain(name);
    expect(Object.keys(conventions.events)).toContain(EVALUATION_EVENT);
  });

  test("have an own prefix if the conventions have none", () => {
    for (const name of [...Object.values(own), ...Object.values(spanEvent)])
      expect(name).toMatch(/^sheepdog\.[a-z_.]+$/);
  });
});

test.each([
  ["anthropic.messages", "anthropic"],
  ["openai.responses", "openai"],
  ["openai.chat", "openai"],
  ["google.generative-ai", "gcp.gemini"],
  ["google.vertex.chat", "gcp.vertex_ai"],
  ["amazon-bedrock", "aws.bedrock"],
  ["mistral.chat", "mistral_ai"],
  ["xai.chat", "x_ai"],
])("the provider %s is %s, as in the conventions", (provider, name) => {
  expect(providerName(provider)).toBe(name);
  expect(conventions.attributes["gen_ai.provider.name"].values).toContain(name);
});

test("a provider that the conventions do not know keeps its own name", () => {
  expect(["ollama.chat", "openrouter.chat", "scripted", ""].map(providerName)).toEqual([
    "ollama",
    "openrouter",
    "scripted",
    "unknown",
  ]);
});

test("a reply ends with a word of the conventions", () => {
  for (const stop of ["end", "calls", "length", "overlong", "refused", "incomplete", "interrupted"] as const)
    expect(conventions.finishReasons).toContain(finishReason(stop));
});
