import type { ReadItem } from "./read-item.ts";

/** Kinds that are named. */
const MAX_NAMED_KINDS = 5;

/** Counts what a reader does not know, to report it once a file. */
export interface UnknownKinds {
  add(kind: string, line: number): void;
  item(file: string, label: string): ReadItem | undefined;
}

/** Starts to count lines, or the entries of a database or folder. */
export function countUnknown(what: "lines" | "entries" = "lines"): UnknownKinds {
  const counts = new Map<string, number>();
  let firstLine = 0;
  let lines = 0;
  return {
    add(kind, line) {
      lines++;
      if (firstLine === 0) firstLine = line;
      const name = counts.size < MAX_NAMED_KINDS || counts.has(kind) ? kind.slice(0, 60) : "others";
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    item(file, label) {
      if (lines === 0) return undefined;
      const kinds = [...counts].map(([kind, count]) => (count === 1 ? kind : `${kind} ×${count}`)).join(", ");
      const why = `${what} that the reader of ${label} recordings does not know were left out: ${kinds}`;
      return { type: "skipped", skipped: { file, line: firstLine, why, lines } };
    },
  };
}
