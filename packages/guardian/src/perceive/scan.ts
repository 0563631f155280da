import { grow, hashText, mix, PRIME, SEED } from "./hash.ts";
import { BEYOND_HEX, DIGIT, LETTER, letters } from "./letters.ts";
import type { Sketch } from "./print.ts";
import { addWord, hasWord, sketchOf, type WordSet, wordSet } from "./sketch.ts";
import { isLabel, isStopWord, LABEL, roleOf, STOP } from "./small-words.ts";
import { volatileEnd, volatileId } from "./volatile.ts";

/** What one pass over a text finds. */
export interface Scan {
  /** Ordered hash with volatile parts and ids masked. */
  readonly masked: string;
  /** Ordered hash with every number masked as well. */
  readonly shape: string;
  /** As `masked`, of the last line that says anything. */
  readonly last: string;
  /** The words; volatile parts, the echo and stop words are left out. */
  readonly words: Sketch;
}

const WINDOW = 16_384;
const MASK = 0x2a2a2a2a;
const NUMBER = 0x23232323;

/** Reads head and tail of a text, 16 kB each, once. Words of the `echo` are masked: an answer that repeats the question says nothing new. */
export function scan(whole: string, echo?: WordSet): Scan {
  const words = wordSet();
  const text = ends(whole);
  const { masked, shape } = pass(text, 0, echo, words);
  const last = pass(text, lastLine(text), echo, undefined);
  return {
    masked: hashText(whole.length > 2 * WINDOW ? mix(masked ^ whole.length) : masked),
    shape: hashText(shape),
    last: hashText(last.masked),
    words: sketchOf(words),
  };
}

/** Where the last line begins that says anything; at most its last 200 characters. */
function lastLine(text: string): number {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= 32) end--;
  return Math.max(text.lastIndexOf("\n", end - 1) + 1, end - 200, 0);
}

/** One pass: integers only, nothing allocated by the word. This is where the guardian spends its time. */
function pass(text: string, from: number, echo: WordSet | undefined, words: WordSet | undefined): { readonly masked: number; readonly shape: number } {
  let masked = SEED;
  let shape = SEED;
  let marks = 0; // the hash of the marks since the last word
  let before = 0; // the word before this one
  let isLabelled = false; // the value of a volatile label follows
  let i = from;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    let letter = code < 128 ? (letters[code] as number) : code | BEYOND_HEX; // in bounds by the comparison
    if (letter <= 0) {
      i++;
      if (letter < 0) marks = grow(marks, letter);
      else if (code === 10) isLabelled = false;
      continue;
    }
    const start = i;
    const isNumber = (letter & DIGIT) !== 0;
    if (isNumber || isLabelled) i = volatileEnd(text, i, isLabelled);
    let value = MASK;
    let figure = MASK;
    let word = 0;
    if (i > start) isLabelled = false;
    else {
      let traits = 0;
      let hash = isNumber && isNegative(text, i) ? grow(SEED, 45) : SEED;
      do {
        traits |= letter;
        hash = Math.imul(hash ^ (letter & LETTER), PRIME);
        if (++i === text.length) break;
        const next = text.charCodeAt(i);
        letter = next < 128 ? (letters[next] as number) : next | BEYOND_HEX; // in bounds by the comparison
      } while (letter > 0);
      word = mix(hash);
      const role = roleOf(word);
      const isEchoed = echo !== undefined && (traits & DIGIT) === 0 && hasWord(echo, word); // a figure is an answer, also where it was asked for
      if (words !== undefined && !isEchoed && !((role & STOP) !== 0 && isStopWord(word))) addWord(words, word);
      value = isEchoed ? MASK : word;
      if ((traits & DIGIT) !== 0) {
        figure = NUMBER;
        const end = (traits & ~LETTER) === DIGIT ? 0 : volatileId(text, start, i, (traits & BEYOND_HEX) === 0);
        if (end > 0) {
          value = MASK;
          i = end;
        }
      } else figure = value;
      isLabelled = (role & LABEL) !== 0 && isLabel(word, before, text.charCodeAt(i));
    }
    masked = grow(masked ^ marks, value);
    shape = grow(shape ^ marks, figure);
    marks = 0;
    before = word;
  }
  return { masked: mix(masked ^ marks), shape: mix(shape ^ marks) };
}

/** Collects the words of a text as they stand, nothing masked: for arguments and messages, where a time is meant. Reads head and tail as `scan` does. Gives their sum, in which order does not count; 0 where there are none. */
export function collectWords(whole: string, words: WordSet, keepsDigits = true): number {
  const text = ends(whole);
  let sum = 0;
  let i = 0;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    let letter = code < 128 ? (letters[code] as number) : code | BEYOND_HEX; // in bounds by the comparison
    if (letter <= 0) {
      i++;
      continue;
    }
    let length = 0;
    let hash = (letter & DIGIT) !== 0 && isNegative(text, i) ? grow(SEED, 45) : SEED;
    do {
      if (keepsDigits || (letter & DIGIT) === 0) {
        hash = grow(hash, letter & LETTER);
        length++;
      }
      if (++i === text.length) break;
      const next = text.charCodeAt(i);
      letter = next < 128 ? (letters[next] as number) : next | BEYOND_HEX; // in bounds by the comparison
    } while (letter > 0);
    const word = mix(hash);
    if (length === 0 || ((roleOf(word) & STOP) !== 0 && isStopWord(word))) continue;
    addWord(words, word);
    sum = (sum + mix(word ^ SEED)) | 0;
  }
  return sum;
}

/** A text without its middle, where it is long. */
export function ends(text: string, window: number = WINDOW): string {
  return text.length > 2 * window ? `${text.slice(0, window)}\n${text.slice(-window)}` : text;
}

/** A minus sign that belongs to the number, not to a range or a name. */
function isNegative(text: string, start: number): boolean {
  return start > 0 && text.charCodeAt(start - 1) === 45 && (start === 1 || !isWord(text.charCodeAt(start - 2)));
}

function isWord(code: number): boolean {
  return code >= 128 || (letters[code] as number) > 0; // in bounds by the comparison
}
