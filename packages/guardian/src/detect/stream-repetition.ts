import type { Chant, Stream } from "../state/stream.ts";

/** The stored characters of a stream. */
export const TAIL = 4_000;
/** The longest period that is found, in characters. */
const MAX_PERIOD = 1_000;
/** The text is inspected after every 64 characters, wherever the deltas end. */
const INTERVAL = 64;
/** The newest characters must have occurred before. */
const NEEDLE = 256;

/** A stream before its first delta. */
export const emptyStream: Stream = { tail: "", fresh: 0, isFenced: false };

/**
 * Adds a delta to a stream, and inspects it after every 64th character, so that the cuts between deltas make no
 * difference. Returns the first chant that was found.
 */
export function inspectStream(
  { tail, fresh, isFenced: wasFenced }: Stream,
  delta: string,
): { readonly stream: Stream; readonly chant: Chant | undefined } {
  const text = tail + delta;
  let chant: Chant | undefined;
  let end = tail.length - fresh;
  let isFenced = wasFenced;
  while (text.length - end >= INTERVAL) {
    isFenced = isFencedAfter(isFenced, text, { start: end, end: end + INTERVAL });
    end += INTERVAL;
    if (end > NEEDLE)
      chant ??= findChant(text.slice(windowStart(end), end), { notInspected: text.length - end, isFenced });
  }
  return { stream: { tail: text.slice(windowStart(end)), fresh: text.length - end, isFenced }, chant };
}

/** Whether the text is inside a code fence after the part that was just read. A fence may begin before that part. */
function isFencedAfter(
  wasFenced: boolean,
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  const fences = text.slice(Math.max(0, start - FENCE.length + 1), end).split(FENCE).length - 1;
  return fences % 2 === 0 ? wasFenced : !wasFenced;
}

const FENCE = "```";

/** Start of the window inspected at `end`. */
function windowStart(end: number): number {
  return Math.max(0, end + INTERVAL - TAIL);
}

interface Inspected {
  /** Characters after the text that are not inspected yet. */
  readonly notInspected: number;
  /** The text ends inside a code fence: equal lines of a log, a fixture or a program stand there for good reason. */
  readonly isFenced: boolean;
}

/**
 * The shortest period of the text's end that holds for long enough. Read backwards, the longest border of the newest
 * `length` characters (a text that they both begin and end with) gives their shortest period. That period only grows
 * with the length (Knuth, Morris, Pratt), so that one pass meets every period.
 */
function findChant(text: string, { notInspected, isFenced }: Inspected): Chant | undefined {
  // Fast path: if the newest characters do not occur earlier, there is no repetition.
  const needleAt = text.length - NEEDLE;
  if (text.indexOf(text.slice(needleAt), needleAt - MAX_PERIOD) >= needleAt) return undefined;
  const newest = (i: number): number => text.charCodeAt(text.length - 1 - i); // NaN beyond the text equals nothing
  const borders = [0, 0];
  let border = 0;
  for (let length = 1; length - border <= MAX_PERIOD && length <= text.length; length++) {
    const period = length - border;
    while (border > 0 && newest(border) !== newest(length)) border = borders[border] ?? 0;
    if (newest(border) === newest(length)) border++;
    borders.push(border);
    const isLongest = length + 1 - border > period;
    if (!isLongest || length < minLength(period)) continue;
    const isFencedLine = isFenced && isLine(text.slice(-period));
    if (length >= (isFencedLine ? PATIENT_LENGTH : patience(text, period, length)))
      return { period, repeats: length / period, surplus: length - 2 * period + notInspected };
  }
  return undefined;
}

/**
 * The length of repetition that makes a chant. It is found before 400 characters or the fifth repetition are out;
 * with long units before the fourth.
 */
function minLength(period: number): number {
  return Math.max(400 - INTERVAL, Math.min(5 * period - INTERVAL, 3 * period + 600));
}

/** The length of repetition that makes a chant where text repeats for good reason. */
const PATIENT_LENGTH = 2_048;

/** Whether the unit of a repetition is made of whole lines with words, and no fence. */
function isLine(unit: string): boolean {
  return unit.includes("\n") && /\w/.test(unit) && !unit.includes(FENCE);
}

/** More length for drawings, tables of numbers and padding inside data, which repeat for good reason. */
function patience(text: string, period: number, length: number): number {
  return isDrawing(text.slice(-2 * period)) || isData(text, period, length) ? PATIENT_LENGTH : 0;
}

/** Lines, boxes and tables. Two periods, because the first and the last word may be cut. */
function isDrawing(twoPeriods: string): boolean {
  // Numbers, JSON's literals and escapes become 0; a tab stays a tab.
  const plain = twoPeriods.replace(/^[a-z\d]+|[a-z\d]+$|\\(?:\w|$)|\b(?:\d\w*|true|false|null)\b/gi, (part) =>
    part === "\\t" ? "\t" : "0",
  );
  const hasNoWords = /^[\s\d"-/:->@[-`{-~·\u2010-\u2027\u2500-\u25ff\u2800-\u28ff]+$/.test(plain);
  return hasNoWords && /[^\s\d]|[^\S\n]{2}|\t/.test(plain);
}

/** Base64 or hex, also before the repetition. */
function isData(text: string, period: number, length: number): boolean {
  const start = text.length - length;
  return start >= 64 && /^(?=\D*\d)(?:[\w+/\\\n]+|[\da-fnx,\s\\]+)$/i.test(text.slice(start - 64, start + period));
}
