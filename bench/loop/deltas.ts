import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { createRuntime, type Model } from "../../packages/agent/dist/index.js";
import { ratioOf } from "../measure/rounds.ts";
import { type Row, row } from "../measure/row.ts";
import { conversation } from "./conversation.ts";
import { scriptedModel } from "./scripted-model.ts";

const turns = 800; // times five deltas, in one reply
const warmUps = 4;
const rounds = 15;

/** Provider factory of `@ai-sdk/openai-compatible`, as far as it is used. */
type CreateProvider = (options: {
  readonly name: string;
  readonly baseURL: string;
  readonly fetch: typeof fetch;
}) => (model: string) => Model;

/** One long reply, streamed to three listeners with the guardian listening too, against the provider's own stream read to its end. */
export async function deltaRows(): Promise<readonly Row[]> {
  const deltas = conversation(turns).turns.flatMap((turn) => turn.deltas);
  const provider = await openaiCompatible();
  return [
    await deltaRow(
      "a provider's stream of 4,000 deltas to three listeners",
      "that stream read alone",
      () => overTheWire(provider, deltas),
      1.25,
    ),
    await deltaRow("a scripted stream of 4,000 deltas to three listeners", "that stream read alone", () =>
      scripted(deltas),
    ),
  ];
}

async function deltaRow(what: string, to: string, model: () => Model, goal?: number): Promise<Row> {
  const told: number[] = [];
  const alone: number[] = [];
  for (let round = -warmUps; round < rounds; round += 1) {
    const pair = [() => listened(model()), () => read(model())];
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const index of order) {
      const micros = await cpuOf(pair[index] as () => Promise<unknown>); // in bounds
      if (round >= 0) (index === 0 ? told : alone).push(micros);
    }
  }
  return row(what, to, ratioOf(told, alone), goal);
}

async function listened(model: Model): Promise<void> {
  const runtime = createRuntime({ models: [model], settings: { maxOutputTokens: 1_000_000 } });
  const heard = [0, 0, 0];
  for (const index of heard.keys()) {
    runtime.bus.subscribe((event) => {
      if (event.type === "TextDelta") heard[index] = (heard[index] ?? 0) + event.text.length;
    });
  }
  const result = await runtime.run("ses_1", "Tell me everything.").result;
  if (result.reason !== "answered" || heard.some((characters) => characters !== result.text.length))
    throw new Error(`Expected every listener to hear the answer; got ${result.reason}, ${heard}.`);
}

async function read(model: Model): Promise<void> {
  const { stream } = await model.doStream({
    prompt: [{ role: "user", content: [{ type: "text", text: "Tell me everything." }] }],
  });
  const reader = stream.getReader();
  let characters = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (part.value.type === "text-delta") characters += part.value.delta.length;
  }
  if (characters === 0) throw new Error("Expected text; got none.");
}

async function cpuOf(action: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function scripted(answer: readonly string[]): Model {
  return scriptedModel({ ...conversation(0), answer }, { request() {} }) as unknown as Model; // as much of it as a loop uses
}

/** A real provider of the AI SDK: it parses and checks every chunk; only the network is left out. */
function overTheWire(createProvider: CreateProvider, deltas: readonly string[]): Model {
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: "1", created: 1, model: "m", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const bytes = [...deltas.map((content) => chunk({ content })), chunk({}, "stop"), "data: [DONE]\n\n"].map((text) =>
    new TextEncoder().encode(text),
  );
  const answer = async () =>
    new Response(ReadableStream.from(bytes), { headers: { "content-type": "text/event-stream" } });
  return createProvider({ name: "local", baseURL: "http://localhost/v1", fetch: answer as typeof fetch })("m");
}

async function openaiCompatible(): Promise<CreateProvider> {
  const path = createRequire(new URL("../../packages/agent/package.json", import.meta.url)).resolve(
    "@ai-sdk/openai-compatible",
  );
  const { createOpenAICompatible } = (await import(pathToFileURL(path).href)) as {
    createOpenAICompatible: CreateProvider;
  }; // what the pinned version exports
  return createOpenAICompatible;
}
