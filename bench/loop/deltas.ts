import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { createRuntime, type Model } from "../../packages/agent/dist/index.js";
import { ratioOf } from "../measure/rounds.ts";
import { type Row, row } from "../measure/row.ts";
import { conversation } from "./conversation.ts";
import { runtimeModel } from "./scripted-model.ts";

const turns = 800; // of five deltas each, in one reply
const warmUps = 4;
const rounds = 15;

/** The part of `createOpenAICompatible` that is used. */
type CreateProvider = (options: {
  readonly name: string;
  readonly baseURL: string;
  readonly fetch: typeof fetch;
}) => (model: string) => Model;

/** One long reply, streamed to three listeners and the guardian, against the same stream read without a runtime. */
export async function deltaRows(): Promise<readonly Row[]> {
  const deltas = conversation(turns).turns.flatMap((turn) => turn.deltas);
  const createProvider = await importOpenaiCompatible();
  return [
    await deltaRow("a provider's stream of 4,000 deltas", () => providerModel(createProvider, deltas), 1.25),
    await deltaRow("a scripted stream of 4,000 deltas", () =>
      runtimeModel({ ...conversation(0), answer: deltas }, { request() {} }),
    ),
  ];
}

async function deltaRow(what: string, model: () => Model, goal?: number): Promise<Row> {
  const runtimeMicros: number[] = [];
  const streamMicros: number[] = [];
  for (let round = -warmUps; round < rounds; round += 1) {
    const measureRuntime = async () => runtimeMicros.push(await cpuOf(() => streamToListeners(model())));
    const measureStream = async () => streamMicros.push(await cpuOf(() => readStream(model())));
    for (const measure of round % 2 === 0 ? [measureRuntime, measureStream] : [measureStream, measureRuntime])
      await measure();
  }
  const ratio = ratioOf(runtimeMicros.slice(warmUps), streamMicros.slice(warmUps));
  return row(`${what} to three listeners`, "that stream alone", ratio, goal);
}

async function streamToListeners(model: Model): Promise<void> {
  const runtime = createRuntime({ models: [model], settings: { maxOutputTokens: 1_000_000 } });
  const characters = [0, 0, 0];
  for (const listener of characters.keys()) {
    runtime.bus.subscribe((event) => {
      if (event.type === "TextDelta") characters[listener] = (characters[listener] ?? 0) + event.text.length;
    });
  }
  const { reason, text } = await runtime.run("ses_1", "Tell me everything.").result;
  if (reason !== "answered" || characters.some((count) => count !== text.length))
    throw new Error(`Expected every listener to receive the whole answer; got ${reason}, ${characters}.`);
}

async function readStream(model: Model): Promise<void> {
  const { stream } = await model.doStream({
    prompt: [{ role: "user", content: [{ type: "text", text: "Tell me everything." }] }],
  });
  let characters = 0;
  const reader = stream.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (part.value.type === "text-delta") characters += part.value.delta.length;
  }
  if (characters === 0) throw new Error("Expected text; got none.");
}

async function cpuOf(action: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  const start = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** A real provider of the AI SDK, which parses and validates every chunk. Only the network is missing. */
function providerModel(createProvider: CreateProvider, deltas: readonly string[]): Model {
  const head = { id: "1", created: 1, model: "m", object: "chat.completion.chunk" };
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const lines = [...deltas.map((content) => chunk({ content })), chunk({}, "stop"), "data: [DONE]\n\n"];
  const bytes = lines.map((line) => new TextEncoder().encode(line));
  const respond = async () =>
    new Response(ReadableStream.from(bytes), { headers: { "content-type": "text/event-stream" } });
  return createProvider({ name: "local", baseURL: "http://localhost/v1", fetch: respond as typeof fetch })("m");
}

async function importOpenaiCompatible(): Promise<CreateProvider> {
  const agentPackage = createRequire(new URL("../../packages/agent/package.json", import.meta.url));
  const url = pathToFileURL(agentPackage.resolve("@ai-sdk/openai-compatible"));
  const { createOpenAICompatible } = (await import(url.href)) as { createOpenAICompatible: CreateProvider }; // pinned
  return createOpenAICompatible;
}
