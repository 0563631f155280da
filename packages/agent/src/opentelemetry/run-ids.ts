import { createHash, randomBytes } from "node:crypto";

/** Generates the ids of traces and spans; an `idGenerator` of the OpenTelemetry SDK. */
export interface RunIds {
  generateTraceId(): string;
  generateSpanId(): string;
  /** Calls `start`, which starts the span of a run: it gets the ids of that run. */
  forRun<Span>(runId: string, start: () => Span): Span;
}

/** The ids of a run's trace and of its first span. */
export interface TraceIds {
  readonly traceId: string;
  readonly spanId: string;
}

/**
 * The ids that belong to a run. They are derived from its id, so that a run which crashed and is resumed by another
 * process continues its trace, and so that a run can be found in a backend without a table.
 */
export function traceIdsOf(runId: string): TraceIds {
  const digest = createHash("sha256").update(`sheepdog ${runId}`).digest("hex");
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}

/** Random ids, except for runs. Give it to the tracer provider as its `idGenerator`, and to `traceRuns` as `ids`. */
export function createRunIds(): RunIds {
  let pending: Partial<TraceIds> = {};
  return {
    generateTraceId() {
      const { traceId = randomBytes(16).toString("hex"), ...rest } = pending;
      pending = rest;
      return traceId;
    },
    generateSpanId() {
      const { spanId = randomBytes(8).toString("hex"), ...rest } = pending;
      pending = rest;
      return spanId;
    },
    forRun(runId, start) {
      pending = traceIdsOf(runId);
      try {
        return start();
      } finally {
        pending = {};
      }
    },
  };
}
