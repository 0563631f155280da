import type { JsonObject } from "../../trajectory/json-fields.ts";
import { runItem, skip } from "../read-item.ts";
import type { DocumentReader, LineReader } from "../reader.ts";
import { isExport, isOtherSignal, isSpan, rawSpans } from "./raw-spans.ts";
import { readSpan, type Span } from "./span.ts";
import { spanRuns } from "./span-runs.ts";
import { isStoredTrace } from "./stored-spans.ts";

const frame = { format: "opentelemetry", label: "OpenTelemetry" } as const;

/** Lines with one span or one export request each, as the collector, the SDKs and Copilot CLI write them. */
export const openTelemetryLineReader: LineReader = {
  ...frame,
  type: "lines",
  recognizes: (lines) => lines.some((line) => isSpan(line) || isExport(line) || isStoredTrace(line)),
  open: (file) => {
    const spans: Span[] = [];
    return {
      line(value: JsonObject, line: number) {
        const raw = rawSpans(value["messages"] ?? value) ?? rawSpans(value);
        if (raw === undefined) return isOtherSignal(value) ? "read" : { unknown: "a line without spans" };
        for (const each of raw) spans.push(readSpan(each, { line }));
        return "read";
      },
      end: () => spanRuns(spans, file),
    };
  },
};

/** One document with export requests or spans. */
export const openTelemetryDocumentReader: DocumentReader = {
  ...frame,
  type: "document",
  recognizes: (document) => rawSpans(document) !== undefined,
  *read(document, file) {
    const spans = (rawSpans(document) ?? []).map((raw, index) => readSpan(raw, { entry: `span ${index + 1}` }));
    const runs = spanRuns(spans, file);
    for (const run of runs) yield runItem(run, file);
    if (runs.length === 0) yield skip(file, 0, "it is an OpenTelemetry recording without a reply of a model");
  },
};
