import type { Usage } from "../protocol/messages.ts";
import { cut, inputMessages, MAX_CONTENT_CHARS, outputMessages } from "./content.ts";
import { attribute, operation } from "./conventions.ts";
import type { OpenSpans } from "./open-spans.ts";
import { own } from "./own-attributes.ts";
import { providerName } from "./provider-name.ts";
import type { SpanAttributes, SpanFailure } from "./span-operation.ts";
import { type EventOf, type SpanFoldOptions, type TraceContext, type TracedRun, toUsd } from "./traced-run.ts";

/** The span of a run that another run started: the span that it belongs to, and its node of a plan. */
export interface RunOrigin {
  readonly parent: string;
  readonly nodeId?: string;
}

/** Starts the `invoke_agent` span of a run. */
export function startRunSpan(
  spans: OpenSpans,
  event: EventOf<"RunStarted">,
  { origin, options }: { readonly origin: RunOrigin | undefined; readonly options: SpanFoldOptions },
): TracedRun {
  const { agentName = "sheepdog", agentVersion, captureContent = false } = options;
  const span = spans.start({
    ...(origin === undefined ? {} : { parent: origin.parent }),
    runId: event.runId,
    name: `${operation.invokeAgent} ${agentName}`,
    kind: "internal",
    at: event.at,
    attributes: {
      [attribute.operation]: operation.invokeAgent,
      [attribute.provider]: providerName(event.provider ?? ""),
      [attribute.requestModel]: event.model,
      [attribute.agentName]: agentName,
      [attribute.agentVersion]: agentVersion,
      [attribute.conversation]: event.sessionId,
      [own.runId]: event.runId,
      [own.runAttended]: event.isAttended,
      [own.runResumed]: event.isResumed,
      [own.runPreset]: event.preset,
      [own.runMode]: event.mode,
      [own.nodeId]: origin?.nodeId,
      [attribute.inputMessages]: captureContent ? promptMessages(event) : undefined,
    },
  });
  return { span, turn: undefined, calls: new Map(), requests: new Map(), score: undefined, requestCost: undefined };
}

/** Ends all spans of a run. A call or request that is still open has no end of its own: the run was interrupted. */
export function endRunSpan({ spans, run, options }: TraceContext, event: EventOf<"RunComplete" | "RunError">): void {
  const { at, result } = event;
  const { state, reason, problem, turns, usage, costNanoUsd, costWithSubagentsNanoUsd } = result;
  for (const span of [...run.requests.values(), ...run.calls.values()])
    spans.end(span, { at, attributes: { [attribute.errorType]: "unfinished" }, failure: { type: "unfinished" } });
  const failure = state === "completed" ? undefined : spanFailure(reason, problem, options);
  if (run.turn !== undefined) spans.end(run.turn, { at });
  spans.end(run.span, {
    at,
    attributes: {
      ...usageAttributes(usage),
      [own.runReason]: reason,
      [own.runState]: state,
      [own.runTurns]: turns,
      [own.costUsd]: toUsd(costNanoUsd),
      [own.costWithSubagentsUsd]: toUsd(costWithSubagentsNanoUsd),
      [attribute.errorType]: failure?.type,
      [attribute.outputMessages]:
        options.captureContent === true ? outputMessages([{ type: "text", text: result.text }], "end") : undefined,
    },
    ...(failure === undefined ? {} : { failure }),
  });
}

export function usageAttributes(usage: Usage): SpanAttributes {
  return {
    [attribute.inputTokens]: usage.input,
    [attribute.outputTokens]: usage.output,
    [attribute.cacheReadTokens]: usage.cacheRead,
    [attribute.cacheWriteTokens]: usage.cacheWrite,
    [own.isEstimated]: usage.isEstimated ? true : undefined,
  };
}

/** The words of a provider or of the system can repeat a prompt, a path or an answer: they are content. */
export function spanFailure(
  type: string,
  problem: string | undefined,
  { captureContent = false }: Pick<SpanFoldOptions, "captureContent">,
): SpanFailure {
  return problem === undefined || !captureContent ? { type } : { type, message: cut(problem, 500) };
}

function promptMessages({ prompt, at }: EventOf<"RunStarted">): string {
  return inputMessages([{ role: "user", id: "", at, origin: "person", text: prompt }], MAX_CONTENT_CHARS);
}
