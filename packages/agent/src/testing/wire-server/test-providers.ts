import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type {
  LanguageModelV3,
  LanguageModelV3FinishReason,
  LanguageModelV3FunctionTool,
  LanguageModelV3Usage,
} from "@ai-sdk/provider";

/** A provider package, to be tested with a wire server. */
export interface TestProvider {
  readonly name: string;
  create(url: string): LanguageModelV3;
}

/** All provider packages, set up as in production. */
export const testProviders: readonly TestProvider[] = [
  {
    name: "anthropic",
    create: (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey: "key-1" })("claude-sonnet-4-5"),
  },
  { name: "openai chat", create: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: "key-1" }).chat("gpt-5") },
  {
    name: "openai responses",
    create: (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: "key-1" }).responses("gpt-5"),
  },
  {
    name: "google",
    create: (url) => createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: "key-1" })("gemini-3-pro"),
  },
  {
    name: "openai-compatible",
    create: (url) =>
      createOpenAICompatible({ name: "local", baseURL: `${url}/v1`, apiKey: "key-1", includeUsage: true })("llama"),
  },
];

/** A reply as the client read it. */
export interface ReadReply {
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly tool: string; readonly input: string }[];
  /** The streamed deltas of all arguments, joined. */
  readonly inputDeltas: string;
  readonly signature: unknown;
  readonly deltas: number;
  readonly errors: readonly unknown[];
  readonly finish: LanguageModelV3FinishReason | undefined;
  readonly usage: LanguageModelV3Usage | undefined;
}

const tool: LanguageModelV3FunctionTool = {
  type: "function",
  name: "read",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
};

/** Requests a reply and reads it to the end. Rejects with any error of the model. */
export async function readReply(model: LanguageModelV3, signal?: AbortSignal): Promise<ReadReply> {
  const { stream } = await model.doStream({
    prompt: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
    tools: [tool],
    maxOutputTokens: 1000,
    ...(signal === undefined ? {} : { abortSignal: signal }),
  });
  const calls: { id: string; tool: string; input: string }[] = [];
  const errors: unknown[] = [];
  const reply = { thinking: "", text: "", inputDeltas: "", signature: undefined as unknown, deltas: 0 };
  let finish: LanguageModelV3FinishReason | undefined;
  let usage: LanguageModelV3Usage | undefined;
  for await (const part of stream) {
    if (part.type.endsWith("-delta")) reply.deltas += 1;
    if (part.type === "text-delta") reply.text += part.delta;
    if (part.type === "reasoning-delta") {
      reply.thinking += part.delta;
      reply.signature ??= Object.values(part.providerMetadata ?? {})[0]?.["signature"];
    }
    if (part.type === "tool-input-delta") reply.inputDeltas += part.delta;
    if (part.type === "tool-call") calls.push({ id: part.toolCallId, tool: part.toolName, input: part.input });
    if (part.type === "error") errors.push(part.error);
    if (part.type === "finish") ({ finishReason: finish, usage } = part);
  }
  return { ...reply, calls, errors, finish, usage };
}
