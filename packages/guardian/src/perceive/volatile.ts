/** Clocks, dates with a time, durations, epochs, counts of occurrence. A date alone, a time of day, a score or a price is information. */
const volatileNumber =
  /\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[T ,]{1,2}\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?|\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?|\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|secs?|seconds?)(?![\w%])|\d+m ?\d+(?:\.\d+)?s(?!\w)|1[5-9]\d{8}(?:\d{3})?(?:\.\d+)?(?![\w.])|\d+(?:×|x(?!\w)| times(?!\w))/iy;

/** The value of a label, up to what closes it. */
const labelledValue = /[^\s,;"'`)\]}>]+/y;

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/iy;

/** Where a volatile part that begins here ends; the same place where none does. */
export function volatileEnd(text: string, at: number, isLabelled: boolean): number {
  if (isLabelled) return matchEnd(labelledValue, text, at);
  return mayBeVolatile(text, at) ? matchEnd(volatileNumber, text, at) : at;
}

/** Where a word of letters and digits ends if it is an id: a hash, a uuid, a long token; 0 if it is a name. */
export function volatileId(text: string, start: number, end: number, isHex: boolean): number {
  const length = end - start;
  if (isHex)
    return length === 8 && text.charCodeAt(end) === 45
      ? Math.max(end, matchEnd(uuid, text, start))
      : length >= 7
        ? end
        : 0;
  return length >= 12 && /\d\D*\d\D*\d/.test(text.slice(start, end)) ? end : 0;
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** A glance at what stands behind the digits: most numbers are told to be plain without asking the pattern. */
function mayBeVolatile(text: string, at: number): boolean {
  let end = at + 1;
  while (isDigit(text.charCodeAt(end))) end++;
  let next = text.charCodeAt(end);
  if (end - at >= 10 || next === 58) return true; // :
  if (next === 45 || next === 47) return end - at === 4; // a year, perhaps
  if (next === 46) {
    if (end - at === 4) return true;
    do end++;
    while (isDigit(text.charCodeAt(end)));
    next = text.charCodeAt(end);
  }
  if (next === 32) next = text.charCodeAt(end + 1);
  return units.has(next);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** What units of time and "times" begin with. */
const units = new Set([..."nNµuUmMsSxX×tT"].map((letter) => letter.charCodeAt(0)));
