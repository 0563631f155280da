import { ExportResultCode } from "@opentelemetry/core";
import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { OtlpSender } from "./otlp-sender.ts";
import type { OtlpProtocol } from "./settings.ts";

/** What could not be exported. */
export interface ExportLosses {
  spans: number;
  problem: string | undefined;
}

export function createSpanExporter(sender: OtlpSender, protocol: OtlpProtocol, losses: ExportLosses): SpanExporter {
  const serializer = protocol === "http/json" ? JsonTraceSerializer : ProtobufTraceSerializer;
  return {
    async export(spans, done) {
      const data = serializer.serializeRequest(spans);
      const problem = data === undefined ? "it could not be written" : await sender.send(data);
      if (problem !== undefined) Object.assign(losses, { spans: losses.spans + spans.length, problem });
      done({ code: ExportResultCode.SUCCESS }); // losses are reported once, at the end
    },
    shutdown: async () => sender.stopRetries(),
  };
}
