import { isAborted } from "../async/is-aborted.ts";
import type { Clock } from "../protocol/clock.ts";
import type { AssistantMessage, Usage } from "../protocol/messages.ts";
import { sumUsage } from "../protocol/usage.ts";
import { attempt } from "./attempt.ts";
import type { Attempted } from "./attempt-result.ts";
import { type Failure, failure } from "./failure.ts";
import type { Model } from "./model.ts";
import { type ModelRequest, type PreparedRequest, prepareRequest, type RequestOptions } from "./prepared-request.ts";
import { waitBeforeRetry } from "./retry-delay.ts";
import { orLeave } from "./stream-watch.ts";
import { tellTools, toldTools } from "./tool-definitions.ts";

export type { ModelRequest } from "./prepared-request.ts";

export interface ModelRequestOptions extends RequestOptions {
  /** The one to ask, then those to fall back on. */
  readonly models: readonly Model[];
  /** Further attempts with each model. */
  readonly maxRetries: number;
  /** The longest wait before a further attempt; default: a minute. */
  readonly maxWaitMs?: number;
  readonly clock: Pick<Clock, "now" | "sleep" | "random" | "newId">;
  /** Asked before each attempt is sent. */
  reserve?(model: Model): Promise<Reservation>;
  /** Asked before a further attempt is waited for. */
  saveUsage?(): Promise<void>;
  /** Told of each attempt once it is over. */
  recordUsage?(spent: AttemptUsage): void;
}

/** What one attempt used; undefined where it failed before its first word. */
export interface AttemptUsage {
  /** As it was reserved. */
  readonly id: string;
  readonly at?: number;
  readonly model: string;
  readonly usage?: Usage;
}

/** What came of reserving an attempt: it may be sent, or not. */
type Reservation =
  | { readonly ok: true; readonly id: string; readonly at: number }
  | { readonly ok: false; readonly problem: string };

interface Asked {
  /** The model that was asked last. */
  readonly model: string;
  /** Requests that were made. */
  readonly attempts: number;
  /** One for each attempt, failed and cancelled ones included. */
  readonly spent: readonly AttemptUsage[];
  /** All of them together. */
  readonly usage: Usage | undefined;
}

export type ModelResponse = Asked &
  ({ readonly ok: true; readonly message: AssistantMessage } | { readonly ok: false; readonly failure: Failure });

/** Where the asking stands. */
interface Asking {
  readonly options: ModelRequestOptions;
  model: Model | undefined;
  attempts: number;
  readonly spent: AttemptUsage[];
}

/** Asks for one reply: streams it, tries again where that is worth it, falls back on other models. What the world does wrong is in the answer; nothing is thrown. */
export async function requestModel(request: ModelRequest, options: ModelRequestOptions): Promise<ModelResponse> {
  const { models, maxRetries, maxWaitMs = 60_000, signal, clock } = options;
  const asking: Asking = { options, model: models[0], attempts: 0, spent: [] };
  let prepared: PreparedRequest;
  try {
    prepared = prepareRequest(request, toldTools(request.tools) ?? (await tellTools(request.tools)), options);
  } catch (error) {
    // A tool that cannot be told to a model is the caller's mistake, and the same every time.
    return failed(
      asking,
      failure("unknown", error instanceof Error ? error.message : "The request could not be written", false),
    );
  }

  let last = nobodyAsked;
  for (const model of models) {
    asking.model = model;
    if (asking.attempts > 0) tellRetry(asking, model, last, 0);
    for (let failures = 1; !isAborted(signal); failures += 1) {
      const reserved = await options.reserve?.(model);
      if (reserved?.ok === false) return failed(asking, failure("budget", reserved.problem, false));
      if (isAborted(signal)) {
        if (reserved !== undefined) book(asking, { id: reserved.id, at: reserved.at, model: model.modelId }); // it is not sent any more
        break;
      }
      asking.attempts += 1;
      const attempted = trueToSignal(await attempt(model, prepared), signal);
      book(asking, spentBy(attempted, model, reserved ?? { id: clock.newId("req"), at: clock.now() }));
      if (attempted.ok) return answered(asking, messageOf(attempted, model, clock));
      last = attempted.failure;
      if (isFinal(last)) return failed(asking, last);
      if (!last.isRetryable || failures > maxRetries) break;
      const waitMs = waitBeforeRetry({ failed: failures, failure: last, maxWaitMs, random: clock.random });
      tellRetry(asking, model, last, waitMs);
      await options.saveUsage?.();
      options.onWaiting("rate-limit");
      await orLeave(clock.sleep(waitMs, signal), signal).catch(() => undefined); // an aborted wait is told by the signal
    }
    if (isAborted(signal)) break;
  }
  return failed(asking, isAborted(signal) ? failure("cancelled", "The request was cancelled", false) : last);
}

const nobodyAsked = failure("unknown", "No model was given to ask", false);

function answered({ model, attempts, spent }: Asking, message: AssistantMessage): ModelResponse {
  return { ok: true, message, model: model?.modelId ?? "", attempts, spent, usage: totalOf(spent) };
}

function failed({ model, attempts, spent }: Asking, why: Failure): ModelResponse {
  return { ok: false, failure: why, model: model?.modelId ?? "", attempts, spent, usage: totalOf(spent) };
}

function tellRetry(
  { options, attempts }: Asking,
  { modelId: model }: Model,
  { problem }: Failure,
  waitMs: number,
): void {
  options.emit({ type: "ProviderRetry", attempt: attempts + 1, waitMs, problem, model });
}

function book({ options, spent }: Asking, one: AttemptUsage): void {
  spent.push(one);
  options.recordUsage?.(one);
}

/** A provider that ends a request itself and calls it an abort has not been cancelled by anyone. */
function trueToSignal(attempted: Attempted, signal: AbortSignal): Attempted {
  if (attempted.ok || attempted.failure.kind !== "cancelled" || isAborted(signal)) return attempted;
  return { ...attempted, failure: failure("network", "The provider's side ended the request", true) };
}

/** Another model, or another attempt, is not what helps here. */
function isFinal({ kind }: Failure): boolean {
  return kind === "cancelled" || kind === "context-too-long";
}

function messageOf(
  { parts, stop, usage }: Extract<Attempted, { ok: true }>,
  model: Model,
  clock: ModelRequestOptions["clock"],
): AssistantMessage {
  return { role: "assistant", id: clock.newId("msg"), at: clock.now(), parts, stop, model: model.modelId, usage };
}

function spentBy(
  { usage }: Attempted,
  { modelId: model }: Model,
  { id, at }: { readonly id: string; readonly at: number },
): AttemptUsage {
  return usage === undefined ? { id, at, model } : { id, at, model, usage };
}

function totalOf(spent: readonly AttemptUsage[]): Usage | undefined {
  let total: Usage | undefined;
  for (const { usage } of spent) if (usage !== undefined) total = total === undefined ? usage : sumUsage(total, usage);
  return total;
}
