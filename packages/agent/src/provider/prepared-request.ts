import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from "@ai-sdk/provider";
import { keepShape } from "../async/keep-shape.ts";
import { type Clock, machineClock } from "../protocol/clock.ts";
import type { AgentEventBody } from "../protocol/events.ts";
import type { Message } from "../protocol/messages.ts";
import type { Tool } from "../tools/tool.ts";
import type { Model } from "./model.ts";
import { toPrompt } from "./prompt.ts";
import { requestTexts } from "./request-texts.ts";
import type { StartTimer } from "./stream-watch.ts";
import type { ToldTools } from "./tool-definitions.ts";

/** What a model is asked. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly maxOutputTokens: number;
}

/** What a part of a reply belongs to. */
type Channel = "text" | "thinking" | "tool-input";

/** What listens to a request and watches over it. */
export interface RequestOptions {
  readonly firstByteMs: number;
  readonly betweenMs: number;
  readonly signal: AbortSignal;
  readonly startTimer?: StartTimer | undefined;
  readonly clock: Pick<Clock, "now" | "newId">;
  /** Ids of all calls of the session, where the caller keeps them; else they are gathered from the messages. */
  readonly usedCallIds?: ReadonlySet<string>;
  onAttemptStart(): void;
  onWaiting(what: "first-byte" | "stream" | "rate-limit"): void;
  emit(event: AgentEventBody): void;
  onDelta(channel: Channel, text: string): "go-on" | { readonly interrupt: number };
  /** How many tokens texts have, for providers that do not say; default: a third of their characters. */
  estimate?(texts: readonly string[]): number;
}

/** A request as it is written for models: the same for every attempt. */
export interface PreparedRequest {
  readonly options: RequestOptions;
  readonly maxOutputTokens: number;
  readonly usedIds: ReadonlySet<string>;
  /** What a model is called with. */
  callOf(model: Model, abortSignal: AbortSignal): LanguageModelV3CallOptions;
  /** Its tokens, counted once and only where they are asked for. */
  countInput(): number;
  count(texts: readonly string[]): number;
  /** An id for a call whose own will not do. */
  newId(): string;
}

/** Writes a request. Throws where it cannot be written. */
export function prepareRequest(request: ModelRequest, told: ToldTools, options: RequestOptions): PreparedRequest {
  return new WrittenRequest(request, told, options);
}

class WrittenRequest implements PreparedRequest {
  readonly options: RequestOptions;
  readonly maxOutputTokens: number;
  readonly usedIds: ReadonlySet<string>;
  private readonly request: ModelRequest;
  private readonly told: ToldTools;
  private readonly prompt: LanguageModelV3Prompt;
  private inputTokens: number | undefined = undefined;

  constructor(request: ModelRequest, told: ToldTools, options: RequestOptions) {
    this.options = options;
    this.maxOutputTokens = request.maxOutputTokens;
    this.usedIds = options.usedCallIds ?? idsIn(request.messages);
    this.request = request;
    this.told = told;
    this.prompt = toPrompt({ system: request.system, messages: request.messages, toolNames: told.names });
  }

  callOf({ provider }: Model, abortSignal: AbortSignal): LanguageModelV3CallOptions {
    const { prompt, maxOutputTokens } = this;
    const { tools } = this.told;
    const call =
      tools.length === 0 ? { prompt, maxOutputTokens, abortSignal } : { prompt, maxOutputTokens, tools, abortSignal };
    return provider === "openai.responses" ? withoutKeeping(call) : call;
  }

  countInput(): number {
    this.inputTokens ??= this.count(requestTexts(this.request.system, this.request.messages, this.told.tools));
    return this.inputTokens;
  }

  count(texts: readonly string[]): number {
    return this.options.estimate?.(texts) ?? aThird(texts);
  }

  newId(): string {
    return this.options.clock.newId("call");
  }
}

function idsIn(messages: readonly Message[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const message of messages)
    if (message.role === "assistant") for (const part of message.parts) if (part.type === "call") ids.add(part.id);
  return ids;
}

/** OpenAI is asked to keep nothing: the history is ours, and what is only kept there would be gone some day. */
function withoutKeeping(call: LanguageModelV3CallOptions): LanguageModelV3CallOptions {
  return { ...call, providerOptions: { openai: { store: false } } };
}

function aThird(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / 3);
}

keepShape(
  prepareRequest(
    { system: "", messages: [], tools: [], maxOutputTokens: 1 },
    { tools: [], names: [] },
    {
      firstByteMs: 0,
      betweenMs: 0,
      signal: new AbortController().signal,
      clock: machineClock,
      onAttemptStart() {},
      onWaiting() {},
      emit() {},
      onDelta: () => "go-on",
    },
  ),
);
