import type { SpanOperation } from "../span-operation.ts";

/** A span as the operations describe it. */
export interface WrittenSpan {
  readonly name: string;
  readonly parent: WrittenSpan | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[];
  readonly failure: string | undefined;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
}

type Building = { -readonly [Field in keyof WrittenSpan]: WrittenSpan[Field] } & {
  events: WrittenSpan["events"][number][];
};

/**
 * Reads operations into spans. Throws if they break a rule: a span starts once and ends at most once, a parent is open
 * when its child starts, events are on open spans, and nothing lies before the start of its span.
 */
export function readOperations(operations: readonly SpanOperation[]): readonly WrittenSpan[] {
  const spans = new Map<string, Building>();
  const open = new Set<string>();
  for (const operation of operations) {
    const { span: key, at, type } = operation;
    if (!Number.isFinite(at)) throw new Error(`Expected a time of ${key}, got ${at}.`);
    if (type === "start") {
      const { parent, name, attributes } = operation;
      if (spans.has(key)) throw new Error(`Expected one start of ${key}.`);
      if (parent !== undefined && !open.has(parent)) throw new Error(`Expected an open parent of ${name}.`);
      const parentSpan = parent === undefined ? undefined : spans.get(parent);
      const state = { events: [], failure: undefined, startedAt: at, endedAt: undefined };
      spans.set(key, { name, parent: parentSpan, attributes: defined(attributes), ...state });
      open.add(key);
      continue;
    }
    const span = spans.get(key);
    if (span === undefined || !open.has(key)) throw new Error(`Expected ${key} to be open for ${type}.`);
    if (at < span.startedAt) throw new Error(`Expected ${type} of ${span.name} after its start.`);
    if (type === "event") {
      span.events.push({ name: operation.name, attributes: defined(operation.attributes) });
      continue;
    }
    open.delete(key);
    span.endedAt = at;
    span.failure = operation.failure?.type;
    span.attributes = { ...span.attributes, ...defined(operation.attributes) };
  }
  return [...spans.values()];
}

/** The spans as lines, each below its parent. */
export function treeOf(spans: readonly WrittenSpan[], parent?: WrittenSpan, depth = 0): readonly string[] {
  return spans
    .filter((span) => span.parent === parent)
    .flatMap((span) => {
      const failure = span.failure === undefined ? "" : ` (${span.failure})`;
      return [`${"  ".repeat(depth)}${span.name}${failure}`, ...treeOf(spans, span, depth + 1)];
    });
}

function defined(attributes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
