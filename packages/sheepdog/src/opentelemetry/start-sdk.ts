import { randomUUID } from "node:crypto";
import { type Context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { detectResources, envDetector, type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createRunIds, type ServerAddress, type TracedRuntime, traceRuns } from "@sheepdog/agent/opentelemetry";
import type { Io } from "../io.ts";
import { createMetricExporter, createSpanExporter, type ExportLosses } from "./otlp-exporters.ts";
import { createOtlpSender } from "./otlp-sender.ts";
import { otlpTarget } from "./otlp-target.ts";
import { type OpenTelemetrySettings, type OtlpSignal, variable } from "./settings.ts";

export interface SdkOptions {
  readonly settings: OpenTelemetrySettings;
  readonly env: Io["env"];
  readonly version: string;
  serverOf(request: { readonly provider: string; readonly model: string }): ServerAddress | undefined;
}

/** Traces the runs of a runtime and exports them in the background. */
export interface RunningSdk {
  readonly losses: Readonly<ExportLosses>;
  /** Ends open spans and exports everything. Resolves when that is done, successfully or not. */
  flush(): Promise<void>;
  /** Drops what is not exported yet. */
  close(): void;
}

/** Throws a sentence if an address or a certificate cannot be used. */
export function startSdk(runtime: TracedRuntime, options: SdkOptions): RunningSdk {
  const { settings, env, version } = options;
  const { signals, protocols, config } = settings;
  const losses: ExportLosses = { spans: 0, metrics: 0, problem: undefined, signal: undefined };
  const senders = signals.map((signal) => ({
    signal,
    sender: createOtlpSender(otlpTarget(settings, signal, env), protocols[signal]),
  }));
  const senderOf = (wanted: OtlpSignal) => senders.find(({ signal }) => signal === wanted)?.sender;
  const [traces, metrics] = [senderOf("traces"), senderOf("metrics")];
  const resource = createResource(options);
  const ids = createRunIds();
  const tracerProvider = new BasicTracerProvider({
    resource,
    idGenerator: ids,
    spanProcessors:
      traces === undefined ? [] : [new BatchSpanProcessor(createSpanExporter(traces, protocols.traces, losses))],
  });
  const meterProvider = new MeterProvider({
    resource,
    readers:
      metrics === undefined
        ? []
        : [
            new PeriodicExportingMetricReader({
              exporter: createMetricExporter(metrics, protocols.metrics, { losses, env }),
              ...metricInterval(env),
            }),
          ],
  });
  const parent = parentContext(env);
  const tracing = traceRuns(runtime, {
    tracerProvider,
    meterProvider,
    ids,
    agentVersion: version,
    captureContent: config.capture_content,
    serverOf: options.serverOf,
    ...(parent === undefined ? {} : { parent }),
  });
  return {
    losses,
    async flush() {
      tracing.stop();
      for (const { sender } of senders) sender.stopRetries();
      await Promise.allSettled([tracerProvider.forceFlush(), meterProvider.forceFlush()]);
    },
    close() {
      for (const { sender } of senders) sender.close();
      void Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()]);
    },
  };
}

/**
 * What sends the data. Each process has an id of its own: the totals of two processes with the same one would
 * overwrite each other.
 */
function createResource({ settings, env, version }: SdkOptions): Resource {
  const { service_name: name, resource_attributes: attributes } = settings.config;
  const base = resourceFromAttributes({
    "service.name": "sheepdog",
    "service.version": version,
    "service.instance.id": randomUUID(),
  });
  const serviceName = name ?? variable(env, "OTEL_SERVICE_NAME");
  return base
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(
      resourceFromAttributes({ ...attributes, ...(serviceName === undefined ? {} : { "service.name": serviceName }) }),
    );
}

/** The reader does not read it itself. */
function metricInterval(env: Io["env"]): {
  readonly exportIntervalMillis?: number;
  readonly exportTimeoutMillis?: number;
} {
  const interval = Number(variable(env, "OTEL_METRIC_EXPORT_INTERVAL"));
  if (!(interval >= 100)) return {};
  return { exportIntervalMillis: interval, exportTimeoutMillis: Math.min(interval, 30_000) };
}

/** The span that started this process, from the variable `TRACEPARENT` of the W3C. */
export function parentContext(env: Io["env"]): Context | undefined {
  const parts = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(variable(env, "TRACEPARENT") ?? "");
  const [, traceId = "", spanId = "", flags = ""] = parts ?? [];
  if (parts === null || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const traceFlags = Number.parseInt(flags, 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
