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
  const { masked, shape, lastLine } = pass(text, 0, echo, words);
  const last = lastLine === 0 ? masked : pass(text, lastLine, echo, undefined).masked;
  return {
    masked: hashText(whole.length > 2 * WINDOW ? mix(masked ^ whole.length) : masked),
    shape: hashText(shape),
    last: hashText(last),
    words: sketchOf(words),
  };
}

/** What a pass gives. */
interface Pass {
  readonly masked: number;
  readonly shape: number;
  /** Where the last line begins that says anything; at most its last 200 characters. */
  readonly lastLine: number;
}

/** One pass: integers only, nothing allocated by the word. This is where the guardian spends its time. */
function pass(text: string, from: number, echo: WordSet | undefined, words: WordSet | undefined): Pass {
  let masked = SEED;
  let shape = SEED;
  let marks = 0; // the hash of the marks since the last word
  let before = 0; // the word before this one
  let isLabelled = false; // the value of a volatile label follows
  let i = from;
  let line = i; // where this line begins
  let lastLine = i; // where the last one begins that says anything
  let end = i; // where that ends
  while (i < text.length) {
    let letter = letterAt(text, i);
    if (letter <= 0) {
      i++;
      if (letter < 0) {
        marks = grow(marks, letter);
        lastLine = line;
        end = i;
      } else if (text.charCodeAt(i - 1) === 10) {
        isLabelled = false;
        line = i;
      }
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
        letter = letterAt(text, i);
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
    lastLine = line;
    end = i;
  }
  return { masked: mix(masked ^ marks), shape: mix(shape ^ marks), lastLine: Math.max(lastLine, end - 200) };
}

/** Collects the words of a text as they stand, nothing masked: for arguments and messages, where a time is meant. Reads head and tail as `scan` does. Gives their sum, in which order does not count; 0 where there are none. */
export function collectWords(whole: string, words: WordSet, keepsDigits = true): number {
  const text = ends(whole);
  let sum = 0;
  let i = 0;
  while (i < text.length) {
    let letter = letterAt(text, i);
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
      letter = letterAt(text, i);
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
  return start > 0 && text.charCodeAt(start - 1) === 45 && (start === 1 || letterAt(text, start - 2) <= 0);
}

/** The character at a place, as `letters` has it. What is not ASCII is a letter. */
function letterAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (letters[code] as number) : code | BEYOND_HEX; // in bounds by the comparison
}
