import type { LanguageModelV3CallOptions, LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import type { Clock } from "../clock.ts";
import type { AssistantMessage, Message, Usage } from "../messages.ts";
import { callsOf } from "../messages.ts";
import type { Tool } from "../tools/tool.ts";
import { sumUsage } from "../total-usage.ts";
import { type AttemptOptions, attempt } from "./attempt.ts";
import type { Attempted } from "./conclude.ts";
import { type Failure, failure } from "./failure.ts";
import type { Model } from "./model.ts";
import { requestTexts } from "./request-texts.ts";
import { waitBeforeRetry } from "./retry.ts";
import { orLeave } from "./timeouts.ts";
import { toPrompt } from "./to-prompt.ts";
import { toldTools, toTools } from "./to-tools.ts";

/** What a model is asked. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly maxOutputTokens: number;
}

export interface AskOptions extends Pick<AttemptOptions, "firstByteMs" | "betweenMs" | "signal" | "emit" | "hear" | "started" | "startTimer"> {
  /** The one to ask, then those to fall back on. */
  readonly models: readonly Model[];
  /** Further attempts with each model. */
  readonly maxRetries: number;
  /** The longest wait before a further attempt; default: a minute. */
  readonly maxWaitMs?: number;
  /** Ids of all calls of the session, where the caller keeps them; else they are gathered from the messages. */
  readonly usedIds?: ReadonlySet<string>;
  readonly waiting: (what: "first-byte" | "stream" | "rate-limit") => void;
  readonly clock: Pick<Clock, "now" | "sleep" | "random" | "newId">;
  /** Asked before each attempt is sent. */
  readonly reserve?: (model: Model) => Promise<Reservation>;
  /** Asked before a further attempt is waited for. */
  readonly settle?: () => Promise<void>;
  /** Told of each attempt once it is over. */
  readonly onSpent?: (spent: Spent) => void;
  /** How many tokens texts have, for providers that do not say; default: a third of their characters. */
  readonly estimate?: (texts: readonly string[]) => number;
}

/** What one attempt used; undefined where it failed before its first word. */
export interface Spent {
  /** As it was reserved. */
  readonly id: string;
  readonly at?: number;
  readonly model: string;
  readonly usage?: Usage;
}

/** What came of reserving an attempt: it may be sent, or not. */
type Reservation = { readonly ok: true; readonly id: string; readonly at: number } | { readonly ok: false; readonly problem: string };

interface Asking {
  /** The model that was asked last. */
  readonly model: string;
  /** Requests that were made. */
  readonly attempts: number;
  /** One for each attempt, failed and cancelled ones included. */
  readonly spent: readonly Spent[];
  /** All of them together. */
  readonly usage?: Usage;
}

export type Answer = Asking & ({ readonly ok: true; readonly message: AssistantMessage } | { readonly ok: false; readonly failure: Failure });

/** Asks for one reply: streams it, tries again where that is worth it, falls back on other models. What the world does wrong is in the answer; nothing is thrown. */
export async function askModel(request: ModelRequest, options: AskOptions): Promise<Answer> {
  const { models, maxRetries, maxWaitMs = 60_000, signal, emit, clock } = options;
  const spent: Spent[] = [];
  let attempts = 0;
  let model = models[0];
  let last = nobodyAsked;
  const book = (one: Spent) => {
    spent.push(one);
    options.onSpent?.(one);
  };
  const told = (): Asking => ({ model: model?.modelId ?? "", attempts, spent, ...totalOf(spent) });
  let prepared: Prepared;
  try {
    prepared = prepare(request, toldTools(request.tools) ?? (await toTools(request.tools)), options);
  } catch (error) {
    // A tool that cannot be told to a model is the caller's mistake, and the same every time.
    return { ok: false, failure: failure("unknown", error instanceof Error ? error.message : "The request could not be written", false), ...told() };
  }

  for (model of models) {
    if (attempts > 0) emit({ type: "ProviderRetry", attempt: attempts + 1, waitMs: 0, problem: last.problem, model: model.modelId });
    for (let failed = 1; !signal.aborted; failed += 1) {
      const reserved = await options.reserve?.(model);
      if (reserved?.ok === false) return { ok: false, failure: failure("budget", reserved.problem, false), ...told() };
      if (signal.aborted) {
        if (reserved !== undefined) book({ id: reserved.id, at: reserved.at, model: model.modelId }); // it is not sent any more
        break;
      }
      attempts += 1;
      const attempted = trueToSignal(await attempt(model, callFor(prepared.call, model), prepared.options), signal);
      book(spentBy(attempted, model, reserved ?? { id: clock.newId("req"), at: clock.now() }));
      if (attempted.ok) return { ok: true, message: messageOf(attempted, model, clock), ...told() };
      last = attempted.failure;
      if (isFinal(last)) return { ok: false, failure: last, ...told() };
      if (!last.isWorthRetrying || failed > maxRetries) break;
      const waitMs = waitBeforeRetry({ failed, failure: last, maxWaitMs, random: clock.random });
      emit({ type: "ProviderRetry", attempt: attempts + 1, waitMs, problem: last.problem, model: model.modelId });
      await options.settle?.();
      options.waiting("rate-limit");
      await orLeave(clock.sleep(waitMs, signal), signal).catch(() => undefined); // an aborted wait is told by the signal
    }
    if (signal.aborted) break;
  }
  return { ok: false, failure: signal.aborted ? failure("cancelled", "The request was cancelled", false) : last, ...told() };
}

const nobodyAsked = failure("unknown", "No model was given to ask", false);

type PreparedCall = LanguageModelV3CallOptions & { readonly maxOutputTokens: number };
interface Prepared {
  readonly call: PreparedCall;
  readonly options: AttemptOptions;
}

/** What is the same for every attempt. */
function prepare(request: ModelRequest, tools: LanguageModelV3FunctionTool[], options: AskOptions): Prepared {
  const { clock, estimate = aThird, firstByteMs, betweenMs, signal, emit, hear, started, waiting, startTimer } = options;
  const { system, messages, maxOutputTokens } = request;
  const prompt = toPrompt({ system, messages, toolNames: request.tools.map((tool) => tool.name) });
  let counted: number | undefined;
  const countInput = () => {
    counted ??= estimate(requestTexts(system, messages, tools));
    return counted;
  };
  return {
    call: tools.length === 0 ? { prompt, maxOutputTokens } : { prompt, maxOutputTokens, tools },
    options: {
      firstByteMs,
      betweenMs,
      signal,
      emit,
      hear,
      started,
      waiting,
      startTimer,
      estimate,
      countInput,
      usedIds: options.usedIds ?? idsIn(messages),
      now: () => clock.now(),
      newId: () => clock.newId("call"),
    },
  };
}

function idsIn(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(messages.flatMap((message) => (message.role === "assistant" ? callsOf(message).map((call) => call.id) : [])));
}

/** OpenAI is asked to keep nothing: the history is ours, and what is only kept there would be gone some day. */
function callFor(call: PreparedCall, { provider }: Model): PreparedCall {
  return provider === "openai.responses" ? { ...call, providerOptions: { openai: { store: false } } } : call;
}

/** A provider that ends a request itself and calls it an abort has not been cancelled by anyone. */
function trueToSignal(attempted: Attempted, signal: AbortSignal): Attempted {
  if (attempted.ok || attempted.failure.kind !== "cancelled" || signal.aborted) return attempted;
  return { ...attempted, failure: failure("network", "The provider's side ended the request", true) };
}

/** Another model, or another attempt, is not what helps here. */
function isFinal({ kind }: Failure): boolean {
  return kind === "cancelled" || kind === "context-too-long";
}

function messageOf({ parts, stop, usage }: Extract<Attempted, { ok: true }>, model: Model, clock: AskOptions["clock"]): AssistantMessage {
  return { role: "assistant", id: clock.newId("msg"), at: clock.now(), parts, stop, model: model.modelId, usage };
}

function spentBy({ usage }: Attempted, { modelId: model }: Model, { id, at }: { readonly id: string; readonly at: number }): Spent {
  return usage === undefined ? { id, at, model } : { id, at, model, usage };
}

function totalOf(spent: readonly Spent[]): { readonly usage?: Usage } {
  let total: Usage | undefined;
  for (const { usage } of spent) if (usage !== undefined) total = total === undefined ? usage : sumUsage(total, usage);
  return total === undefined ? {} : { usage: total };
}

function aThird(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / 3);
}
