import type { AgentEvent } from "../protocol/events.ts";
import { attribute, operation, secondBuckets, tokenBuckets } from "./conventions.ts";
import { own } from "./own-attributes.ts";
import { providerName } from "./provider-name.ts";
import { requestFailure } from "./request-span.ts";
import type { SpanAttributes } from "./span-operation.ts";
import type { EventOf, SpanFoldOptions } from "./traced-run.ts";

export type MetricName =
  | "gen_ai.client.token.usage"
  | "gen_ai.client.operation.duration"
  | "gen_ai.client.operation.time_to_first_chunk"
  | "sheepdog.run.cost"
  | "sheepdog.runs"
  | "sheepdog.tool.calls"
  | "sheepdog.guardian.interventions";

/** A metric with its unit. Counters have no buckets. */
export interface Metric {
  readonly instrument: "histogram" | "counter";
  readonly unit: string;
  readonly description: string;
  readonly buckets?: readonly number[];
}

/** All metrics. Those with `gen_ai` are named by the conventions. */
export const metrics: Readonly<Record<MetricName, Metric>> = {
  "gen_ai.client.token.usage": {
    instrument: "histogram",
    unit: "{token}",
    description: "Tokens of a request to a model, by input and output.",
    buckets: tokenBuckets,
  },
  "gen_ai.client.operation.duration": {
    instrument: "histogram",
    unit: "s",
    description: "Duration of a request to a model.",
    buckets: secondBuckets,
  },
  "gen_ai.client.operation.time_to_first_chunk": {
    instrument: "histogram",
    unit: "s",
    description: "Time from a request to the first part of its reply.",
    buckets: secondBuckets,
  },
  "sheepdog.run.cost": { instrument: "counter", unit: "USD", description: "Cost of requests with a known price." },
  "sheepdog.runs": { instrument: "counter", unit: "{run}", description: "Runs that have ended, by their reason." },
  "sheepdog.tool.calls": { instrument: "counter", unit: "{call}", description: "Calls of tools, by their status." },
  "sheepdog.guardian.interventions": {
    instrument: "counter",
    unit: "{intervention}",
    description: "Interventions of the guardian, by detector and level.",
  },
};

/** A value to record. */
export interface MetricOperation {
  readonly metric: MetricName;
  readonly value: number;
  readonly attributes: SpanAttributes;
}

type MetricOptions = Pick<SpanFoldOptions, "serverOf">;

/** What an event adds to the metrics. */
export function metricOperations(event: AgentEvent, options: MetricOptions = {}): readonly MetricOperation[] {
  switch (event.type) {
    case "RequestEnded":
      return requestMetrics(event, options);
    case "CostEvent": {
      const { model, costNanoUsd, purpose = "turn" } = event;
      if (costNanoUsd === null || costNanoUsd === 0) return [];
      const attributes = { [attribute.requestModel]: model, [own.purpose]: purpose };
      return [{ metric: "sheepdog.run.cost", value: costNanoUsd / 1e9, attributes }];
    }
    case "ToolEnd":
      return [toolCall(event.tool, event.status)];
    case "ToolBlocked":
      return [toolCall(event.tool, "blocked")];
    case "GuardianIntervention": {
      const { detector, level, isApplied } = event.intervention;
      const attributes = { [own.detector]: detector, [own.level]: level, [own.isApplied]: isApplied };
      return [{ metric: "sheepdog.guardian.interventions", value: 1, attributes }];
    }
    case "RunComplete":
    case "RunError": {
      const { reason, state } = event.result;
      return [{ metric: "sheepdog.runs", value: 1, attributes: { [own.runReason]: reason, [own.runState]: state } }];
    }
    default:
      return [];
  }
}

function requestMetrics(event: EventOf<"RequestEnded">, options: MetricOptions): readonly MetricOperation[] {
  const { provider, model, responseModel, usage, ms, firstPartMs } = event;
  const server = options.serverOf?.({ provider, model });
  const request = {
    [attribute.operation]: operation.chat,
    [attribute.provider]: providerName(provider),
    [attribute.requestModel]: model,
    [attribute.responseModel]: responseModel,
    [attribute.serverAddress]: server?.address,
    [attribute.serverPort]: server?.port,
  };
  const tokens = (type: "input" | "output", value: number): MetricOperation => ({
    metric: "gen_ai.client.token.usage",
    value,
    attributes: { ...request, [attribute.tokenType]: type },
  });
  const failure = requestFailure(event, {});
  return [
    ...(usage === undefined ? [] : [tokens("input", usage.input), tokens("output", usage.output)]),
    {
      metric: "gen_ai.client.operation.duration",
      value: ms / 1_000,
      attributes: { ...request, [attribute.errorType]: failure?.type },
    },
    ...(firstPartMs === undefined
      ? []
      : [
          {
            metric: "gen_ai.client.operation.time_to_first_chunk",
            value: firstPartMs / 1_000,
            attributes: request,
          } as const,
        ]),
  ];
}

/** Names that a model has invented are not counted one by one. */
function toolCall(name: string, status: string): MetricOperation {
  const tool = status === "unknown-tool" ? "(unknown)" : name;
  return { metric: "sheepdog.tool.calls", value: 1, attributes: { [attribute.toolName]: tool, [own.status]: status } };
}
