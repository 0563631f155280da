import type { Span } from "./span.ts";
import type { Operation } from "./span-operation.ts";

/** Finds spans above a span. */
export interface Ancestry {
  /** The nearest span above with this operation. */
  nearest(span: Span, operation: Operation): Span | undefined;
}

/** Remembers what it has found, so that traces of any depth take linear time. */
export function createAncestry(byKey: ReadonlyMap<string, Span>): Ancestry {
  const found = new Map<string, Span | undefined>();

  function search(span: Span, operation: Operation): Span | undefined {
    const path = new Set<string>();
    const remember = (result: Span | undefined): Span | undefined => {
      for (const key of path) found.set(`${operation} ${key}`, result);
      return result;
    };
    for (let current = span; !path.has(current.key); ) {
      const known = `${operation} ${current.key}`;
      if (found.has(known)) return remember(found.get(known));
      path.add(current.key);
      const above = current.parent === undefined ? undefined : byKey.get(current.parent);
      if (above === undefined || above.operation === operation) return remember(above);
      current = above;
    }
    return remember(undefined); // the spans are parents of each other
  }

  return { nearest: search };
}
