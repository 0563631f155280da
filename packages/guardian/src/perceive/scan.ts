import { add, text as asText, grow, hashWord, lanes, SEED } from "./hash.ts";

/** What one pass over a text finds. */
export interface Scan {
  /** Ordered hash with volatile parts and ids masked. */
  readonly masked: string;
  /** Ordered hash with every number masked as well. */
  readonly shape: string;
  /** As `masked`, of the last line that says anything. */
  readonly last: string;
  /** Hashes of the words; volatile parts and stop words are left out. */
  readonly words: ReadonlySet<number>;
}

const WINDOW = 16_384;
const MASK = 0x2a2a2a2a;
const NUMBER = 0x23232323;

/** Reads head and tail of a text, 16 kB each, once. Words for which `isEcho` holds are masked: an answer that repeats the question says nothing new. */
export function scan(whole: string, isEcho: (word: number) => boolean = never): Scan {
  const text = ends(whole);
  const masked = lanes();
  const shape = lanes();
  const words = new Set<number>();
  let line = lanes();
  let isLineEmpty = true;
  let last = asText(line);
  let before = 0; // the word before this one
  let labelled = false; // the value of a volatile label follows
  let i = 0;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (!isWordCode(code)) {
      i++;
      if (code === 10) {
        if (!isLineEmpty) last = asText(line);
        line = lanes();
        isLineEmpty = true;
        labelled = false;
      } else if (code > 32) {
        const mark = code === 39 || code === 96 ? 34 : code; // one kind of quote
        add(masked, mark);
        add(shape, mark);
        add(line, mark);
        isLineEmpty = false;
      }
      continue;
    }
    const end = isDigitCode(code) || labelled ? volatileEnd(text, i, labelled) : i;
    if (end > i) {
      add(masked, MASK);
      add(shape, MASK);
      add(line, MASK);
      isLineEmpty = false;
      labelled = false;
      before = 0;
      i = end;
      continue;
    }
    let hash = isNegative(text, i) ? grow(SEED, 45) : SEED;
    let digits = 0;
    let letters = 0;
    let beyondHex = 0;
    const start = i;
    for (let c = code; isWordCode(c); c = text.charCodeAt(++i)) {
      if (isDigitCode(c)) {
        digits++;
      } else {
        if (c >= 65 && c <= 90) c += 32;
        letters++;
        if (c > 102) beyondHex++;
      }
      hash = grow(hash, c);
    }
    const isId = letters > 0 && digits > 0 && (beyondHex === 0 ? i - start >= 7 : digits > 2 && i - start >= 12);
    const isEchoed = isEcho(hash);
    const value = isId || isEchoed ? MASK : hash;
    add(masked, value);
    add(line, value);
    add(shape, digits > 0 ? NUMBER : value);
    isLineEmpty = false;
    if (!isEchoed && !stopWords.has(hash)) words.add(hash);
    labelled = labels.has(hash) || (hash === idWord && idOwners.has(before)) || (isTemporary(hash) && text.charCodeAt(i) === 47);
    before = hash;
  }
  if (!isLineEmpty) last = asText(line);
  if (whole.length > 2 * WINDOW) add(masked, whole.length);
  return { masked: asText(masked), shape: asText(shape), last, words };
}

/** The words of a text as they stand, nothing masked: for arguments and messages, where a time is meant. Reads head and tail as `scan` does. */
export function wordsOf(whole: string, keepsDigits = true): Set<number> {
  const text = ends(whole);
  const words = new Set<number>();
  let i = 0;
  while (i < text.length) {
    if (!isWordCode(text.charCodeAt(i))) {
      i++;
      continue;
    }
    let hash = isNegative(text, i) ? grow(SEED, 45) : SEED;
    let letters = 0;
    for (let c = text.charCodeAt(i); isWordCode(c); c = text.charCodeAt(++i)) {
      if (!keepsDigits && isDigitCode(c)) continue;
      letters++;
      hash = grow(hash, c >= 65 && c <= 90 ? c + 32 : c);
    }
    if (letters > 0 && !stopWords.has(hash)) words.add(hash);
  }
  return words;
}

function ends(text: string): string {
  return text.length > 2 * WINDOW ? `${text.slice(0, WINDOW)}\n${text.slice(-WINDOW)}` : text;
}

/** Clocks, dates with a time, durations, epochs, uuids, counts of occurrence. A date alone, a score or a price is information. */
const volatileNumber =
  /\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[T ,]{1,2}\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2}))?|\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|secs?|seconds?)(?![\w%])|\d+m ?\d+(?:\.\d+)?s(?!\w)|1[5-9]\d{8}(?:\d{3})?(?:\.\d+)?(?![\w.])|\d+(?:×|x(?!\w)| times(?!\w))/iy;

/** The value of a label, up to what closes it. */
const labelledValue = /[^\s,;"'`)\]}>]+/y;

function volatileEnd(text: string, at: number, labelled: boolean): number {
  const pattern = labelled ? labelledValue : volatileNumber;
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** A minus sign that belongs to the number, not to a range or a name. */
function isNegative(text: string, start: number): boolean {
  return start > 0 && text.charCodeAt(start - 1) === 45 && isDigitCode(text.charCodeAt(start)) && (start === 1 || !isWordCode(text.charCodeAt(start - 2)));
}

function isDigitCode(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Letters, digits, and all that is not ASCII. */
function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code > 127;
}

function isTemporary(hash: number): boolean {
  return hash === tmpWord;
}

function hashes(words: string): ReadonlySet<number> {
  return new Set(words.split(" ").map(hashWord));
}

const never = (): boolean => false;
const idWord = hashWord("id");
const tmpWord = hashWord("tmp");
const labels = hashes("pid ppid nonce timestamp elapsed duration took latency uptime requestid traceid spanid messageid msgid correlationid");
const idOwners = hashes("request req trace span message msg correlation process thread");
const stopWords = hashes("a an and are as at be by for from has have in is it its of on or that the this to was were will with you your");
