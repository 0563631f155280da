import { modelSize } from "@sheepdog/records";
import { untilAborted } from "../async/until-aborted.ts";
import type { Clock } from "../protocol/clock.ts";
import type { AssistantMessage, Usage } from "../protocol/messages.ts";
import type { Reservation } from "../protocol/reservation.ts";
import { sumUsage } from "../protocol/usage.ts";
import { type AttemptOptions, runAttempt } from "./attempt.ts";
import type { AttemptResult } from "./attempt-result.ts";
import { createFailure, type Failure } from "./failure.ts";
import type { Model } from "./model.ts";
import { type ModelRequest, type PreparedRequest, prepareRequest } from "./prepared-request.ts";
import { createRequestReport, type RequestReportOptions } from "./request-report.ts";
import { retryDelayMs } from "./retry-delay.ts";
import { retryLimit, usuallyPasses } from "./retry-limit.ts";

export type { ModelRequest } from "./prepared-request.ts";

/** How a request is sent, retried and paid for. */
export interface ModelRequestOptions extends AttemptOptions, RequestReportOptions {
  /** The model to use, followed by its fallbacks. */
  readonly models: readonly Model[];
  /** Retries per model of a failure that may pass; infinite: until `signal` ends the request. */
  readonly maxRetries: number;
  /** Longest wait before a retry, unless the provider asks for a longer one; default: one minute. */
  readonly maxWaitMs?: number;
  readonly clock: Pick<Clock, "now" | "sleep" | "random" | "newId">;
  /** Reserves the cost of an attempt before it is sent. */
  reserve?(model: Model): Promise<Reservation>;
  /** Records what an attempt used, after it ended. */
  recordUsage?(usage: AttemptUsage): void;
  /** Saves the recorded usage before a wait, so that no reservation stays open meanwhile. */
  saveUsage?(): Promise<void>;
}

/** What one attempt used; without `usage` if it failed before the first part of a reply. */
interface AttemptUsage {
  /** Id and time of the reservation. */
  readonly id: string;
  readonly at?: number;
  readonly model: string;
  readonly usage?: Usage;
}

interface RequestSummary {
  /** The model used last. */
  readonly model: string;
  /** Number of requests sent. */
  readonly attempts: number;
  /** One entry per attempt, including failed and cancelled ones. */
  readonly attemptUsages: readonly AttemptUsage[];
  /** Sum over all attempts. */
  readonly usage: Usage | undefined;
  /** Why the last failed attempt failed; undefined if none did. */
  readonly lastProblem?: string;
}

/** The reply, or why there is none. */
export type ModelResponse = RequestSummary &
  ({ readonly ok: true; readonly message: AssistantMessage } | { readonly ok: false; readonly failure: Failure });

/** The port of the loop to the models. */
export type RequestModel = (request: ModelRequest, options: ModelRequestOptions) => Promise<ModelResponse>;

/**
 * Requests one reply: streams it, retries failures that may pass, then tries the fallback models. Failures of the
 * provider or the network are part of the response and are not thrown.
 */
export async function requestModel(request: ModelRequest, options: ModelRequestOptions): Promise<ModelResponse> {
  const { models, maxRetries, maxWaitMs = 60_000, signal, clock } = options;
  const progress: Progress = {
    options,
    model: models[0],
    attempts: 0,
    attemptUsages: [],
    failedSince: undefined,
    lastProblem: undefined,
  };
  let prepared: PreparedRequest;
  try {
    prepared = prepareRequest(request, options);
  } catch (error) {
    const problem = error instanceof Error ? error.message : "The request could not be written";
    return failed(progress, createFailure("unknown", problem, false));
  }

  let lastFailure = createFailure("unknown", "No model was given", false);
  for (const [index, model] of models.entries()) {
    const hasFallback = index < models.length - 1;
    progress.model = model;
    if (progress.attempts > 0) emitRetry(progress, lastFailure, 0);
    let rareFailures = 0;
    for (let failures = 1; !signal.aborted; failures += 1) {
      const reservation = await options.reserve?.(model);
      if (reservation?.ok === false) return failed(progress, createFailure("budget", reservation.problem, false));
      if (signal.aborted) {
        if (reservation !== undefined) recordUsage(progress, model, reservation); // reserved but not sent: it is free
        break;
      }
      progress.attempts += 1;
      const sent = withOutputLimit(prepared, index === 0 ? undefined : model, reservation?.maxOutputTokens);
      const { id, at } = reservation ?? { id: clock.newId("req"), at: clock.now() };
      const report = createRequestReport(options, { requestId: id, model, attempt: progress.attempts, request, sent });
      const result = withoutForeignAbort(await runAttempt(model, sent, { ...options, ...report.callbacks }), signal);
      recordUsage(progress, model, { id, at, usage: result.usage });
      report.end(result);
      if (result.ok) {
        const isShortened = reservation?.maxOutputTokens === sent.maxOutputTokens;
        return answered(progress, toMessage(result, model, { clock, isShortened }));
      }
      lastFailure = result.failure;
      progress.lastProblem = signal.aborted ? progress.lastProblem : lastFailure.problem;
      if (isFinal(lastFailure)) return failed(progress, lastFailure);
      progress.failedSince ??= clock.now();
      if (!usuallyPasses(lastFailure)) rareFailures += 1;
      const counted = usuallyPasses(lastFailure) ? failures : rareFailures;
      if (counted > retryLimit(lastFailure, { maxRetries, hasFallback })) break;
      const waitMs = retryDelayMs({ failures, failure: lastFailure, maxWaitMs, random: clock.random });
      if (hasFallback && waitMs > maxWaitMs * 1.1) break; // the provider asks for a long wait: another model is faster
      emitRetry(progress, lastFailure, waitMs);
      await options.saveUsage?.();
      options.onWaiting("rate-limit");
      await untilAborted(clock.sleep(waitMs, signal), signal).catch(() => undefined); // the loop checks the signal
    }
    if (signal.aborted) break;
  }
  return failed(
    progress,
    signal.aborted ? createFailure("cancelled", "The request was cancelled", false) : lastFailure,
  );
}

interface Progress {
  readonly options: ModelRequestOptions;
  model: Model | undefined;
  attempts: number;
  readonly attemptUsages: AttemptUsage[];
  /** The time of the first failure, and the problem of the last. */
  failedSince: number | undefined;
  lastProblem: string | undefined;
}

function answered(progress: Progress, message: AssistantMessage): ModelResponse {
  return { ok: true, message, ...summarize(progress) };
}

function failed(progress: Progress, failure: Failure): ModelResponse {
  return { ok: false, failure, ...summarize(progress) };
}

function summarize({ model, attempts, attemptUsages, lastProblem }: Progress): RequestSummary {
  const usages = attemptUsages.flatMap(({ usage }) => usage ?? []);
  const usage = usages.length === 0 ? undefined : usages.reduce(sumUsage);
  const explained = lastProblem === undefined ? {} : { lastProblem };
  return { model: model?.modelId ?? "", attempts, attemptUsages, usage, ...explained };
}

function emitRetry({ options, model, attempts, failedSince }: Progress, failure: Failure, waitMs: number): void {
  options.emit({
    type: "ProviderRetry",
    attempt: attempts + 1,
    waitMs,
    waitingFor: failure.kind,
    since: failedSince ?? options.clock.now(),
    problem: failure.problem,
    model: model?.modelId ?? "",
  });
}

/** The request with a shorter reply, if the budget covers no longer one or a fallback model allows no longer one. */
function withOutputLimit(request: PreparedRequest, fallback: Model | undefined, affordable?: number): PreparedRequest {
  const allowed = fallback === undefined ? undefined : modelSize(fallback.modelId)?.output;
  const limits = [allowed, affordable].filter((limit) => limit !== undefined);
  return { ...request, maxOutputTokens: Math.min(request.maxOutputTokens, ...limits) };
}

function recordUsage(
  { options, attemptUsages }: Progress,
  { modelId: model }: Model,
  { id, at, usage }: { readonly id: string; readonly at: number; readonly usage?: Usage | undefined },
): void {
  const attemptUsage = usage === undefined ? { id, at, model } : { id, at, model, usage };
  attemptUsages.push(attemptUsage);
  options.recordUsage?.(attemptUsage);
}

/** If a provider reports an abort that this side did not ask for, the request broke and can be retried. */
function withoutForeignAbort(result: AttemptResult, signal: AbortSignal): AttemptResult {
  if (result.ok || result.failure.kind !== "cancelled" || signal.aborted) return result;
  return { ...result, failure: createFailure("network", "The provider ended the request", true) };
}

/** Neither another attempt nor another model can help. */
function isFinal({ kind }: Failure): boolean {
  return kind === "cancelled" || kind === "context-too-long";
}

function toMessage(
  { parts, stop, usage }: Extract<AttemptResult, { ok: true }>,
  { modelId: model }: Model,
  { clock, isShortened }: { readonly clock: ModelRequestOptions["clock"]; readonly isShortened: boolean },
): AssistantMessage {
  const cut = isShortened && stop === "length" ? { isCutByBudget: true as const } : {};
  return { role: "assistant", id: clock.newId("msg"), at: clock.now(), parts, stop, ...cut, model, usage };
}
