import type { Call } from "./call.ts";
import type { FoldRange } from "./find-folds.ts";
import type { Item } from "./item.ts";

/** Equal things that lay between the occurrences of a fold. */
export interface Between {
  readonly kind: "call" | "text";
  readonly text: string;
  readonly count: number;
  readonly call: Call | null;
  /** Whether all of them had the same result. */
  readonly isSame: boolean;
}

const MAX_BETWEEN = 8;

/** What lay between the occurrences, by how often, with texts that differ in little taken together. */
export function betweenOf(items: readonly Item[], { start, end, calls }: FoldRange): readonly Between[] {
  const own = new Set(calls.map(({ callId }) => callId));
  const groups = new Map<
    string,
    { kind: Between["kind"]; text: string; call: Call | null; results: Set<string>; count: number }
  >();
  for (let index = start; index <= end; index += 1) {
    const item = items[index];
    if (item?.type === "call" && !own.has(item.call.callId)) {
      const { call } = item;
      const key = call.kind === "edit" ? `${call.tool} ${call.text}` : call.key;
      const group = groups.get(key) ?? { kind: "call" as const, text: call.text, call, results: new Set(), count: 0 };
      groups.set(key, group);
      group.results.add(call.kind === "edit" ? call.key : masked(call.content));
      group.count += 1;
    } else if (item?.type === "text") {
      const key = `text ${masked(item.text).slice(0, 24)}`;
      const group = groups.get(key) ?? {
        kind: "text" as const,
        text: item.text,
        call: null,
        results: new Set(),
        count: 0,
      };
      groups.set(key, group);
      group.results.add(item.text);
      group.count += 1;
    }
  }
  return [...groups.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_BETWEEN)
    .map(({ results, ...group }) => ({ ...group, isSame: results.size === 1 }));
}

/** A text without the numbers that differ from call to call. */
export function masked(text: string): string {
  return text.slice(0, 1_000).replace(/\d+/g, "0").replace(/\s+/g, " ").trim();
}
