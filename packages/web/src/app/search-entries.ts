import type { IconName } from "../parts/icon.tsx";

/** Something that the search jumps to or does. */
export interface SearchEntry {
  readonly id: string;
  readonly group: "Pages" | "Commands" | "Runs";
  readonly icon: IconName;
  readonly label: string;
  /** Further words that find it. */
  readonly words?: string;
  /** A second line in quiet type: what a run is about, or where the words of the search occur. */
  readonly detail?: string;
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

const AROUND = 40;

/** The part of a prompt around the first of the words that occurs in it; undefined if none does. */
export function excerptAround(prompt: string, text: string): string | undefined {
  const plain = prompt.replace(/\s+/g, " ").trim();
  const words = text.toLowerCase().split(/\s+/);
  const at = words.map((word) => (word === "" ? -1 : plain.toLowerCase().indexOf(word))).find((index) => index >= 0);
  if (at === undefined) return undefined;
  const from = Math.max(0, at - AROUND);
  const to = Math.min(plain.length, at + AROUND * 2);
  return `${from > 0 ? "…" : ""}${plain.slice(from, to)}${to < plain.length ? "…" : ""}`;
}
