import type { IconName } from "../parts/icon.tsx";

/** Something that the search jumps to or does. */
export interface SearchEntry {
  readonly id: string;
  readonly group: "Pages" | "Commands" | "Runs";
  readonly icon: IconName;
  readonly label: string;
  /** Further words that find it. */
  readonly words?: string;
  readonly note?: string;
  readonly keys?: string;
  readonly action: () => void;
}

/** Entries that contain every word of the text, those that begin with it first. */
export function matchingEntries(entries: readonly SearchEntry[], text: string): readonly SearchEntry[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const matching = entries.filter(({ label, words: more = "" }) =>
    words.every((word) => `${label} ${more}`.toLowerCase().includes(word)),
  );
  const first = (entry: SearchEntry) => (entry.label.toLowerCase().startsWith(words[0] ?? "") ? 0 : 1);
  return matching.toSorted((a, b) => first(a) - first(b));
}
