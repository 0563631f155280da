import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import {
  type ISerializer,
  JsonMetricsSerializer,
  JsonTraceSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
} from "@opentelemetry/otlp-transformer";
import { AggregationTemporality, type PushMetricExporter, type ResourceMetrics } from "@opentelemetry/sdk-metrics";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { Io } from "../io.ts";
import type { OtlpSender } from "./otlp-sender.ts";
import { type OtlpProtocol, type OtlpSignal, variable } from "./settings.ts";

/** What could not be exported. */
export interface ExportLosses {
  spans: number;
  /** Exports of metrics; the next one repeats the totals. */
  metrics: number;
  problem: string | undefined;
  /** The signal that the problem is about. */
  signal: OtlpSignal | undefined;
}

export function createSpanExporter(sender: OtlpSender, protocol: OtlpProtocol, losses: ExportLosses): SpanExporter {
  const serializer = protocol === "http/json" ? JsonTraceSerializer : ProtobufTraceSerializer;
  return {
    export(spans: ReadableSpan[], done) {
      const onLoss = (problem: string) => {
        losses.spans += spans.length;
        Object.assign(losses, { problem, signal: "traces" });
      };
      void exportItems(spans, { serializer, sender, onLoss }).then(done);
    },
    shutdown: async () => sender.stopRetries(),
  };
}

export function createMetricExporter(
  sender: OtlpSender,
  protocol: OtlpProtocol,
  { losses, env }: { readonly losses: ExportLosses; readonly env: Io["env"] },
): PushMetricExporter {
  const serializer = protocol === "http/json" ? JsonMetricsSerializer : ProtobufMetricsSerializer;
  const isDelta = variable(env, "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE")?.toLowerCase() === "delta";
  return {
    export(metrics: ResourceMetrics, done) {
      const onLoss = (problem: string) => {
        losses.metrics += 1;
        Object.assign(losses, { problem, signal: "metrics" });
      };
      void exportItems(metrics, { serializer, sender, onLoss }).then(done);
    },
    selectAggregationTemporality: () => (isDelta ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE),
    forceFlush: async () => {},
    shutdown: async () => sender.stopRetries(),
  };
}

interface Export<Items> {
  readonly serializer: ISerializer<Items, unknown>;
  readonly sender: OtlpSender;
  readonly onLoss: (problem: string) => void;
}

async function exportItems<Items>(items: Items, { serializer, sender, onLoss }: Export<Items>): Promise<ExportResult> {
  const data = serializer.serializeRequest(items);
  const problem = data === undefined ? "it could not be written" : await sender.send(data);
  if (problem === undefined) return { code: ExportResultCode.SUCCESS };
  onLoss(problem);
  return { code: ExportResultCode.SUCCESS }; // reported once, at the end
}
