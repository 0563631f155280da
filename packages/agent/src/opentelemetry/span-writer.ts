import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { RunIds } from "./run-ids.ts";
import type { SpanAttributes, SpanOperation } from "./span-operation.ts";

/** Applies operations to a tracer. */
export interface SpanWriter {
  apply(operation: SpanOperation): void;
}

interface SpanWriterOptions {
  /** The context that runs belong to; default: each run is a trace of its own. */
  readonly parent?: Context;
  readonly ids?: RunIds;
}

interface OpenSpan {
  readonly span: Span;
  readonly context: Context;
}

export function createSpanWriter(tracer: Tracer, options: SpanWriterOptions = {}): SpanWriter {
  const { parent: outside = ROOT_CONTEXT, ids } = options;
  const open = new Map<string, OpenSpan>();

  function start(operation: Extract<SpanOperation, { readonly type: "start" }>): void {
    const { span: key, parent, runId, name, kind, at, attributes } = operation;
    const context = (parent === undefined ? undefined : open.get(parent)?.context) ?? outside;
    const startSpan = () =>
      tracer.startSpan(
        name,
        {
          kind: kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL,
          startTime: at,
          attributes: definedAttributes(attributes),
        },
        context,
      );
    const span = ids === undefined || runId === undefined ? startSpan() : ids.forRun(runId, startSpan);
    open.set(key, { span, context: trace.setSpan(context, span) });
  }

  return {
    apply(operation) {
      if (operation.type === "start") return start(operation);
      const span = open.get(operation.span)?.span;
      if (span === undefined) return;
      const attributes = definedAttributes(operation.attributes);
      if (operation.type === "event") {
        span.addEvent(operation.name, attributes, operation.at);
        return;
      }
      const { failure, at } = operation;
      open.delete(operation.span);
      span.setAttributes(attributes);
      if (failure !== undefined)
        span.setStatus({
          code: SpanStatusCode.ERROR,
          ...(failure.message === undefined ? {} : { message: failure.message }),
        });
      span.end(at);
    },
  };
}

/** Without those that are undefined. */
function definedAttributes(attributes: SpanAttributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name, typeof value === "object" ? [...value] : value]];
    }),
  );
}
