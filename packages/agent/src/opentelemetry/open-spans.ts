import type { SpanAttributes, SpanFailure, SpanOperation } from "./span-operation.ts";

type Start = Extract<SpanOperation, { readonly type: "start" }>;

/**
 * Writes operations and knows which spans are open: a span ends once and not before its start, a parent is open when
 * its child starts, and events are on open spans only.
 */
export interface OpenSpans {
  readonly size: number;
  /** Returns the key of the new span. */
  start(span: Omit<Start, "type" | "span">): string;
  event(span: string, event: { readonly name: string; readonly at: number; readonly attributes: SpanAttributes }): void;
  end(
    span: string,
    end: { readonly at: number; readonly attributes?: SpanAttributes; readonly failure?: SpanFailure },
  ): void;
  isOpen(span: string): boolean;
  /** All open spans, newest first. */
  open(): readonly string[];
  /** Removes and returns the operations so far. */
  take(): readonly SpanOperation[];
}

export function createOpenSpans(): OpenSpans {
  const startedAt = new Map<string, number>();
  let operations: SpanOperation[] = [];
  let count = 0;
  return {
    get size() {
      return startedAt.size;
    },
    start({ parent, ...rest }) {
      count += 1;
      const span = `span_${count}`;
      const knownParent = parent !== undefined && startedAt.has(parent) ? { parent } : {};
      startedAt.set(span, rest.at);
      operations.push({ type: "start", span, ...knownParent, ...rest });
      return span;
    },
    event(span, { at, ...rest }) {
      const start = startedAt.get(span);
      if (start !== undefined) operations.push({ type: "event", span, at: Math.max(start, at), ...rest });
    },
    end(span, { at, attributes = {}, ...failure }) {
      const start = startedAt.get(span);
      if (start === undefined) return;
      startedAt.delete(span);
      operations.push({ type: "end", span, at: Math.max(start, at), attributes, ...failure }); // a clock may jump back
    },
    isOpen: (span) => startedAt.has(span),
    open: () => [...startedAt.keys()].reverse(),
    take() {
      const taken = operations;
      operations = [];
      return taken;
    },
  };
}
