import {
  type Context,
  metrics as globalMetrics,
  type MeterProvider,
  type TracerProvider,
  trace,
} from "@opentelemetry/api";
import type { AgentEvent } from "../protocol/events.ts";
import { SCHEMA_URL } from "./conventions.ts";
import { metricOperations } from "./metric-operation.ts";
import { createMetricWriter } from "./metric-writer.ts";
import type { RunIds } from "./run-ids.ts";
import { createSpanFold } from "./span-fold.ts";
import { createSpanWriter } from "./span-writer.ts";
import type { SpanFoldOptions } from "./traced-run.ts";

/** The part of a runtime that is traced. */
export interface TracedRuntime {
  readonly bus: { subscribe(listener: (event: AgentEvent) => void): () => void };
}

export interface TraceRunsOptions extends SpanFoldOptions {
  /** Default: the provider that is registered with the API. */
  readonly tracerProvider?: TracerProvider;
  readonly meterProvider?: MeterProvider;
  /** The context that the runs belong to; default: each run is a trace of its own. */
  readonly parent?: Context;
  /** The `idGenerator` of the tracer provider, if it was made by `createRunIds`. */
  readonly ids?: RunIds;
}

/** Ends the tracing. */
export interface RunTracing {
  /** Ends spans that are still open, and listens no more. The providers stay open: flush them yourself. */
  stop(): void;
}

const INSTRUMENTATION = "@sheepdog/agent";

/** Writes spans and metrics of all runs of a runtime, from now on. */
export function traceRuns({ bus }: TracedRuntime, options: TraceRunsOptions = {}): RunTracing {
  const { tracerProvider = trace, meterProvider = globalMetrics, parent, ids, agentVersion } = options;
  const scope = [INSTRUMENTATION, agentVersion, { schemaUrl: SCHEMA_URL }] as const;
  const fold = createSpanFold(options);
  const spans = createSpanWriter(tracerProvider.getTracer(...scope), {
    ...(parent === undefined ? {} : { parent }),
    ...(ids === undefined ? {} : { ids }),
  });
  const metrics = createMetricWriter(meterProvider.getMeter(...scope));
  let lastAt = 0;
  const unsubscribe = bus.subscribe((event) => {
    lastAt = Math.max(lastAt, event.at);
    for (const operation of fold.apply(event)) spans.apply(operation);
    for (const operation of metricOperations(event, options)) metrics.apply(operation);
  });
  return {
    stop() {
      unsubscribe();
      for (const operation of fold.close(lastAt)) spans.apply(operation);
    },
  };
}
