/**
 * Clocks, dates with a time, durations, epochs, counts of occurrence.
 * A date alone, a time of day, a score or a price is information and does not match.
 */
const volatileNumber = new RegExp(
  [
    /\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[T ,]{1,2}\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?/,
    /\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?/,
    /\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|secs?|seconds?)(?![\w%])/,
    /\d+m ?\d+(?:\.\d+)?s(?!\w)/,
    /1[5-9]\d{8}(?:\d{3})?(?:\.\d+)?(?![\w.])/,
    /\d+(?:×|x(?!\w)| times(?!\w))/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "iy",
);

/** The value of a label, up to the character that closes it. */
const labelledValue = /[^\s,;"'`)\]}>]+/y;

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/iy;

/** The end of the volatile part that begins at `start`; `start` itself when there is none. */
export function volatileEnd(text: string, start: number, isLabelled: boolean): number {
  return matchEnd(isLabelled ? labelledValue : volatileNumber, text, start);
}

/** The end of a word that is an id (a hash, a uuid, a long token); undefined when the word is a name. */
export function idEnd(text: string, { start, end, isHex }: Word): number | undefined {
  const length = end - start;
  if (!isHex) return length >= 12 && /\d\D*\d\D*\d/.test(text.slice(start, end)) ? end : undefined;
  if (length === 8 && text[end] === "-") return Math.max(end, matchEnd(uuid, text, start));
  return length >= 7 ? end : undefined;
}

/** A word of letters and digits by its position. */
interface Word {
  readonly start: number;
  readonly end: number;
  readonly isHex: boolean;
}

function matchEnd(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}
