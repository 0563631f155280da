import { sha256 } from "../platform/sha256.ts";

/** Longer texts lose their middle. The guardian compares 16 kB of either end, and the digest stands for the rest. */
const MAX_CHARS = 40_000;
const END_CHARS = 16_384;

/**
 * A text whose middle is replaced by its length and its digest if it is long, so that a recording of gigabytes can be
 * held in memory. Equal texts stay equal and different ones different.
 */
export function clipText(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const head = text.slice(0, END_CHARS);
  const tail = text.slice(-END_CHARS);
  const clipped = `${head}\n[… ${text.length} characters, ${sha256.of(text).slice(0, 16)} …]\n${tail}`;
  return Buffer.from(clipped).toString("utf8"); // a slice would keep the whole text in memory
}

const MAX_DEPTH = 64;
const TOO_DEEP = "[too deep]";

/** A JSON value with every text in it clipped, and with a word in place of what is nested too deeply. */
export function clipValue(value: unknown, levels: number = MAX_DEPTH): unknown {
  if (typeof value === "string") return clipText(value);
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((item) => clipValue(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clipValue(item, levels - 1)]));
}
