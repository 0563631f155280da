import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import { listField, objectField } from "../fields.ts";
import { spansOfLogs } from "./claude-code-logs.ts";
import type { RawSpan } from "./raw-span.ts";
import { isStoredTrace, storedSpans } from "./stored-spans.ts";

/** An export request: of spans, of logs, or of metrics, which hold no runs. */
export function isExport(value: unknown): value is JsonObject {
  return isObject(value) && exportKeys.some((key) => Array.isArray(value[key]));
}

const exportKeys = ["resourceSpans", "resourceMetrics", "resourceLogs", "batches"];

/** One span: of OTLP, of the exporters to a file of the SDKs, or of the Python SDK, with its ids in a context. */
export function isSpan(value: unknown): value is JsonObject {
  if (!isObject(value) || typeof value["name"] !== "string") return false;
  const { traceId, spanId } = value;
  const context = objectField(value["context"]);
  const hasIds = typeof traceId === "string" && typeof spanId === "string";
  return hasIds || (typeof context["trace_id"] === "string" && typeof context["span_id"] === "string");
}

/** A metric or a log record in a file that holds spans too. */
export function isOtherSignal({ type, resource, name }: JsonObject): boolean {
  return type === "metric" || type === "log" || (resource !== undefined && typeof name === "string");
}

/** The spans of a line or of a document; undefined if it is no telemetry. */
export function rawSpans(value: unknown): readonly RawSpan[] | undefined {
  if (isSpan(value)) return [{ span: value, resource: objectField(value["resource"]) }];
  if (Array.isArray(value)) return value.length > 0 && value.every(isTelemetry) ? value.flatMap(spansOf) : undefined;
  if (isExport(value)) return exportedSpans(value);
  if (isStoredTrace(value)) return storedSpans(value);
  const inner = isObject(value) ? (value["result"] ?? value["trace"]) : undefined; // an answer of Jaeger or Tempo
  return isExport(inner) ? exportedSpans(inner) : undefined;
}

function isTelemetry(value: unknown): boolean {
  return isSpan(value) || isExport(value);
}

function spansOf(value: unknown): readonly RawSpan[] {
  return Array.isArray(value) ? [] : (rawSpans(value) ?? []);
}

function exportedSpans(value: JsonObject): readonly RawSpan[] {
  const groups = [...listField(value["resourceSpans"]), ...listField(value["batches"])];
  const spans = groups.flatMap((group) => {
    const { resource, scopeSpans, instrumentationLibrarySpans } = objectField(group);
    const scopes = [...listField(scopeSpans), ...listField(instrumentationLibrarySpans)];
    return scopes.flatMap((scope) =>
      listField(objectField(scope)["spans"]).flatMap((span) =>
        isSpan(span) ? [{ span, resource: objectField(resource) }] : [],
      ),
    );
  });
  return [...spans, ...spansOfLogs(value)];
}
