import { finishReason, inputMessages, outputMessages, systemInstructions } from "./content.ts";
import { attribute, operation } from "./conventions.ts";
import { own } from "./own-attributes.ts";
import { providerName } from "./provider-name.ts";
import { spanFailure, usageAttributes } from "./run-span.ts";
import type { SpanAttributes, SpanFailure } from "./span-operation.ts";
import { type EventOf, type SpanFoldOptions, type TraceContext, toUsd } from "./traced-run.ts";

/** Starts the `chat` span of an attempt. A second opinion may outlive its turn, so it belongs to the run. */
export function startRequestSpan({ spans, run, options }: TraceContext, event: EventOf<"RequestStarted">): void {
  const { requestId, model, provider, purpose, attempt, isStreamed, maxOutputTokens, at, sessionId } = event;
  const server = options.serverOf?.({ provider, model });
  const span = spans.start({
    parent: purpose === "opinion" ? run.span : (run.turn ?? run.span),
    name: `${operation.chat} ${model}`,
    kind: "client",
    at,
    attributes: {
      [attribute.operation]: operation.chat,
      [attribute.provider]: providerName(provider),
      [attribute.requestModel]: model,
      [attribute.conversation]: sessionId,
      [attribute.requestMaxTokens]: maxOutputTokens,
      [attribute.requestStream]: isStreamed ? true : undefined,
      [attribute.serverAddress]: server?.address,
      [attribute.serverPort]: server?.port,
      [own.purpose]: purpose ?? "turn",
      [own.attempt]: attempt,
      ...(options.captureContent === true ? requestContent(event) : {}),
    },
  });
  run.requests.set(requestId, span);
}

export function endRequestSpan({ spans, run, options }: TraceContext, event: EventOf<"RequestEnded">): void {
  const { requestId, at, stop, parts, usage, firstPartMs, responseId, responseModel } = event;
  const span = run.requests.get(requestId);
  if (span === undefined) return;
  run.requests.delete(requestId);
  const failure = requestFailure(event, options);
  const cost = requestCost(run.requestCost, event);
  run.requestCost = undefined;
  spans.end(span, {
    at,
    attributes: {
      ...(usage === undefined ? {} : usageAttributes(usage)),
      [attribute.finishReasons]: stop === undefined || failure !== undefined ? undefined : [finishReason(stop)],
      [attribute.timeToFirstChunk]: firstPartMs === undefined ? undefined : firstPartMs / 1_000,
      [attribute.responseId]: responseId,
      [attribute.responseModel]: responseModel,
      [attribute.errorType]: failure?.type,
      [attribute.outputMessages]:
        options.captureContent === true && parts !== undefined && stop !== undefined
          ? outputMessages(parts, stop)
          : undefined,
      [own.costUsd]: cost,
    },
    ...(failure === undefined ? {} : { failure }),
  });
}

/** The kind of failure; a reply that ended without its own end is one, too. */
function requestFailure(
  { failure, stop, problem }: Pick<EventOf<"RequestEnded">, "failure" | "stop" | "problem">,
  options: Pick<SpanFoldOptions, "captureContent">,
): SpanFailure | undefined {
  if (failure !== undefined) return spanFailure(failure, problem, options);
  return stop === "incomplete" || stop === "interrupted" ? { type: stop } : undefined;
}

/** The cost of a request is published right before its end. */
function requestCost(
  cost: EventOf<"CostEvent"> | undefined,
  { model, purpose, usage }: EventOf<"RequestEnded">,
): number | undefined {
  const isOfRequest = usage !== undefined && cost?.model === model && cost.purpose === purpose;
  return isOfRequest ? toUsd(cost.costNanoUsd) : undefined;
}

function requestContent({ system, messages }: EventOf<"RequestStarted">): SpanAttributes {
  return {
    [attribute.systemInstructions]: system === undefined || system === "" ? undefined : systemInstructions(system),
    [attribute.inputMessages]: messages === undefined ? undefined : inputMessages(messages),
  };
}
