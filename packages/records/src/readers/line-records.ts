import { parseJson } from "../trajectory/parse-json.ts";
import type { Line } from "./lines.ts";

interface LineRecord {
  readonly text: string;
  readonly value: unknown;
}

/** What one line holds, and what is wrong with it. */
export interface LineRecords {
  /** JSON values with their texts, usually one. */
  readonly records: readonly LineRecord[];
  /** Sentences. */
  readonly problems: readonly string[];
}

/** A longer line, or one with more beginnings, is not searched for records. */
const MAX_SEARCHED_CHARS = 4 * 1024 * 1024;
const MAX_BEGINNINGS = 100;

/**
 * The records of a line. A power loss leaves blocks of zero bytes, and lines that end in the middle of a record, behind
 * which the next record stands without a newline. Records of a file begin with the same key.
 */
export function lineRecords(
  { text, zeros = 0, parsed }: Extract<Line, { readonly type: "line" }>,
  hint = "",
): LineRecords {
  const problems = zeros === 0 ? [] : [zerosLeftOut(zeros)];
  if (text.trim() === "") return { records: [], problems };
  const whole = parsed ?? parseJson(text);
  if (whole.ok) return { records: [{ text, value: whole.value }], problems };
  const records: LineRecord[] = [];
  let end = text.length;
  for (const start of [...beginnings(text), 0].sort((a, b) => b - a)) {
    const record = text.slice(start, end);
    const piece = parseJson(record);
    if (!piece.ok) continue;
    records.unshift({ text: record, value: piece.value });
    end = start;
  }
  if (records.length === 0) return { records, problems: [...problems, `this is not JSON (${whole.why})${hint}`] };
  const lost = "a record in this line has no end; those behind it were read";
  return { records, problems: end === 0 ? problems : [...problems, lost] };
}

export function zerosLeftOut(count: number): string {
  return `${count} zero bytes, as a power loss leaves them, were left out here`;
}

/** Where records other than the first may begin. */
function beginnings(text: string): readonly number[] {
  const key = /^\s*(\{"[^"\\]{1,60}":)/.exec(text)?.[1];
  if (key === undefined || text.length > MAX_SEARCHED_CHARS) return [];
  const found: number[] = [];
  for (let at = text.indexOf(key, key.length); at >= 0 && found.length < MAX_BEGINNINGS; at = text.indexOf(key, at + 1))
    found.push(at);
  return found;
}
