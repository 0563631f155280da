import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import { listField, objectField, textField } from "../fields.ts";
import type { RawSpan } from "./raw-span.ts";

const MAX_DEPTH = 64;

/** A trace as stores of spans export it: columns as fields, and a span's children within it. */
export function isStoredTrace(value: unknown): value is JsonObject {
  return isObject(value) && Array.isArray(value["spans"]) && value["spans"].some(isStoredSpan);
}

function isStoredSpan(value: unknown): value is JsonObject {
  if (!isObject(value) || textField(value["span_name"]) === undefined) return false;
  return textField(value["span_id"]) !== undefined && textField(value["trace_id"]) !== undefined;
}

/** The spans of a stored trace with the names of fields that OTLP has. */
export function storedSpans(trace: JsonObject): readonly RawSpan[] {
  return listField(trace["spans"]).flatMap((span) => withChildren(span, undefined, 0));
}

function withChildren(span: unknown, parent: string | undefined, depth: number): readonly RawSpan[] {
  if (!isStoredSpan(span) || depth > MAX_DEPTH) return [];
  const { span_id: spanId, trace_id: traceId, span_name: name, timestamp, events } = span;
  const parentSpanId = textField(span["parent_span_id"]) ?? parent;
  const status = { code: String(span["status_code"] ?? "").toUpperCase(), message: span["status_message"] };
  const attributes = span["span_attributes"];
  const raw = { name, traceId, spanId, parentSpanId, startTime: timestamp, attributes, status, events };
  const resource = { attributes: objectField(span["resource_attributes"]) };
  const children = listField(span["child_spans"]).flatMap((each) => withChildren(each, textField(spanId), depth + 1));
  return [{ span: raw, resource }, ...children];
}
