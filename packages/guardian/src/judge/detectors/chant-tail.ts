import type { Channel } from "../../signal.ts";

/** What is remembered of the stream that is running: plain JSON. */
export interface Stream {
  readonly channel: Channel;
  /** The newest characters, at most `TAIL`. */
  readonly tail: string;
  /** Characters at its end that were not looked at yet. */
  readonly fresh: number;
}

/** A text that repeats itself. */
export interface Chant {
  /** Characters of the shortest repeated unit. */
  readonly period: number;
  /** How often it stands there, as far as is remembered; the last one may be half there. */
  readonly repeats: number;
  /** Characters at the end that may be cut off so that two repetitions are left. */
  readonly surplus: number;
}

/** The most that is remembered; the longest period that is heard; how often is looked; what must have been said before. In characters. */
export const TAIL = 4_000;
const LONGEST = 1_000;
/** Every so many characters the text is looked at. */
export const LOOK = 64;
const NEEDLE = 256;

/** Nothing was said yet. */
export const silence: Stream = { channel: "text", tail: "", fresh: 0 };

/**
 * Adds what was streamed, and looks at every 64th character however the stream is cut, so cuts make no difference. Another channel begins afresh.
 * Of several looks the first that finds a chant tells; while a chant goes on, every look finds it again.
 */
export function listen(
  stream: Stream,
  channel: Channel,
  text: string,
): { readonly stream: Stream; readonly chant: Chant | undefined } {
  const { tail, fresh } = stream.channel === channel ? stream : silence;
  const heard = tail + text;
  let chant: Chant | undefined;
  let end = tail.length - fresh;
  while (heard.length - end >= LOOK) {
    end += LOOK;
    if (end > NEEDLE) chant ??= findChant(heard.slice(startOf(end), end), heard.length - end);
  }
  return { stream: { channel, tail: heard.slice(startOf(end)), fresh: heard.length - end }, chant };
}

/** Where that begins which is remembered at a look. */
function startOf(end: number): number {
  return Math.max(0, end + LOOK - TAIL);
}

/**
 * The shortest period of the text's end that holds for long enough. Read backwards, the longest border of the newest `length` characters (what they
 * both begin and end with) gives their shortest period, and that only grows with the length (Knuth, Morris, Pratt): one pass meets every period.
 */
function findChant(text: string, unheard: number): Chant | undefined {
  // A chant outlasts its first period by a needle, so it said its newest characters before. Other text did not, and asking that costs less than the pass.
  const needleAt = text.length - NEEDLE;
  if (text.indexOf(text.slice(needleAt), needleAt - LONGEST) >= needleAt) return undefined;
  const newest = (i: number): number => text.charCodeAt(text.length - 1 - i); // beyond the text NaN, which equals nothing
  const borders = [0, 0];
  let border = 0;
  for (let length = 1; length - border <= LONGEST && length <= text.length; length++) {
    const period = length - border;
    while (border > 0 && newest(border) !== newest(length)) border = borders[border] ?? 0;
    if (newest(border) === newest(length)) border++;
    borders.push(border);
    const isItsEnd = length + 1 - border > period;
    if (isItsEnd && length >= enough(period) && length >= patience(text, period, length)) {
      return { period, repeats: length / period, surplus: length - 2 * period + unheard };
    }
  }
  return undefined;
}

/** The characters of repetition that make a chant, so that a look falls before 400 are out or the fifth repetition is; of long units before the fourth. */
function enough(period: number): number {
  return Math.max(400 - LOOK, Math.min(5 * period - LOOK, 3 * period + 600));
}

/** Language is given no more time than that. Drawings, tables of numbers and the padding inside data repeat for good reason, though not forever. */
function patience(text: string, period: number, length: number): number {
  const start = text.length - length;
  // Twice, for its first and last word may be cut. Numbers, JSON's flags and escapes become 0, but a tab is a tab.
  const unit = text
    .slice(-2 * period)
    .replace(/^[a-z\d]+|[a-z\d]+$|\\(?:\w|$)|\b(?:\d\w*|true|false|null)\b/gi, (found) =>
      found === "\\t" ? "\t" : "0",
    );
  const isDrawn =
    /^[\s\d"-/:->@[-`{-~·\u2010-\u2027\u2500-\u25ff\u2800-\u28ff]+$/.test(unit) && /[^\s\d]|[^\S\n]{2}|\t/.test(unit);
  // Base64 or hex, and what stood before it was that, too.
  const isData =
    start >= 64 && /^(?=\D*\d)(?:[\w+/\\\n]+|[\da-fnx,\s\\]+)$/i.test(text.slice(start - 64, start + period));
  return isDrawn || isData ? 2_048 : 0;
}
