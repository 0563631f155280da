import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { findAnswers } from "../commands/init/choose-answers.ts";
import { configSchema } from "../config/schema.ts";
import { chooseModel } from "./choose-model.ts";

/** An Ollama with one model. */
async function ollama(): Promise<string> {
  const server = createServer((_, response) => response.end('{"models":[{"name":"qwen3:8b"}]}'));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`; // a server on a port has this address
}

test("with the provider ollama, a running Ollama chooses the model even if other keys are set", async () => {
  const env = { ANTHROPIC_API_KEY: "a-key", OLLAMA_HOST: await ollama() };
  expect(await chooseModel(configSchema.parse({ model: { provider: "ollama" } }), env)).toMatchObject({
    ok: true,
    name: "ollama:qwen3:8b",
  });
  expect(await findAnswers({ provider: "ollama" }, { env, isPlainHttpAllowed: false })).toMatchObject({
    ok: true,
    answers: { model: { provider: "ollama", modelId: "qwen3:8b", baseUrl: `http://${env.OLLAMA_HOST}/v1` } },
  });
});
