import { randomUUID } from "node:crypto";
import { type Context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { detectResources, envDetector, type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createRunIds, type ServerAddress, type TracedRuntime, traceRuns } from "@sheepdog/agent/opentelemetry";
import type { Io } from "../io.ts";
import { createOtlpSender } from "./otlp-sender.ts";
import { otlpTarget } from "./otlp-target.ts";
import { type OpenTelemetrySettings, variable } from "./settings.ts";
import { createSpanExporter, type ExportLosses } from "./span-exporter.ts";

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
  const { protocol, config } = settings;
  const losses: ExportLosses = { spans: 0, problem: undefined };
  const sender = createOtlpSender(otlpTarget(settings, env), protocol);
  const ids = createRunIds();
  const tracerProvider = new BasicTracerProvider({
    resource: createResource(options),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor(createSpanExporter(sender, protocol, losses))],
  });
  const parent = parentContext(env);
  const tracing = traceRuns(runtime, {
    tracerProvider,
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
      sender.stopRetries();
      await tracerProvider.forceFlush().catch(() => {}); // the losses say what failed
    },
    close() {
      sender.close();
      void tracerProvider.shutdown().catch(() => {});
    },
  };
}

/** What sends the spans. Each process has an id of its own. */
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

/** The span that started this process, from the variable `TRACEPARENT` of the W3C. */
export function parentContext(env: Io["env"]): Context | undefined {
  const parts = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(variable(env, "TRACEPARENT") ?? "");
  const [, traceId = "", spanId = "", flags = ""] = parts ?? [];
  if (parts === null || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const traceFlags = Number.parseInt(flags, 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
