/**
 * Traces of runs for OpenTelemetry, with the names of the conventions for generative AI. Needs the package
 * `@opentelemetry/api`, and an SDK that exports what it is given.
 */
export { CONVENTIONS_VERSION, SCHEMA_URL } from "./conventions.ts";
export { createRunIds, type RunIds, type TraceIds, traceIdsOf } from "./run-ids.ts";
export { createSpanFold, type SpanFold } from "./span-fold.ts";
export type { AttributeValue, SpanAttributes, SpanFailure, SpanOperation } from "./span-operation.ts";
export { type RunTracing, type TracedRuntime, type TraceRunsOptions, traceRuns } from "./trace-runs.ts";
export type { ServerAddress, SpanFoldOptions } from "./traced-run.ts";
