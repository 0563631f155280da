import { type Context, type TracerProvider, trace } from "@opentelemetry/api";
import type { AgentEvent } from "../protocol/events.ts";
import { SCHEMA_URL } from "./conventions.ts";
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
  /** The context that the runs belong to; default: each run is a trace of its own. */
  readonly parent?: Context;
  /** The `idGenerator` of the tracer provider, if it was made by `createRunIds`. */
  readonly ids?: RunIds;
}

/** Ends the tracing. */
export interface RunTracing {
  /** Ends spans that are still open, and listens no more. The provider stays open: flush it yourself. */
  stop(): void;
}

const INSTRUMENTATION = "@sheepdog/agent";

/** Writes spans of all runs of a runtime, from now on. */
export function traceRuns({ bus }: TracedRuntime, options: TraceRunsOptions = {}): RunTracing {
  const { tracerProvider = trace, parent, ids, agentVersion } = options;
  const fold = createSpanFold(options);
  const tracer = tracerProvider.getTracer(INSTRUMENTATION, agentVersion, { schemaUrl: SCHEMA_URL });
  const spans = createSpanWriter(tracer, {
    ...(parent === undefined ? {} : { parent }),
    ...(ids === undefined ? {} : { ids }),
  });
  let lastAt = 0;
  const unsubscribe = bus.subscribe((event) => {
    lastAt = Math.max(lastAt, event.at);
    for (const operation of fold.apply(event)) spans.apply(operation);
  });
  return {
    stop() {
      unsubscribe();
      for (const operation of fold.close(lastAt)) spans.apply(operation);
    },
  };
}
