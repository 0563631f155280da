import { grow, hashText, hashWord, mix, SEED } from "./hash.ts";
import type { Sketch } from "./print.ts";
import { addWord, hasWord, sketchOf, type WordSet, wordSet } from "./sketch.ts";
import { isLabel, isStopWord, isTimeWord } from "./small-words.ts";
import { idEnd, volatileEnd } from "./volatile.ts";

/** The prints of a text. */
export interface Scan {
  /** Ordered hash with volatile parts and ids masked. */
  readonly masked: string;
  /** Ordered hash with every number masked as well. */
  readonly shape: string;
  /** As `masked`, of the last line that is not blank. */
  readonly last: string;
  /** The words; volatile parts, the echo and stop words are left out. */
  readonly words: Sketch;
}

/** Characters that are read at each end of a long text. */
const WINDOW = 16_384;

/** Stand for a masked part and for a masked number in a hash. */
const MASK = 0x2a2a2a2a;
const NUMBER = 0x23232323;

/**
 * Reads head and tail of a text, 16 kB each.
 * Words of the `echo` are masked: an answer that repeats the question says nothing new.
 */
export function scan(whole: string, echo?: WordSet): Scan {
  const words = wordSet();
  const text = headAndTail(whole);
  const { masked, shape, lastLineStart } = readText(text, { start: 0, echo, words });
  const last = lastLineStart === 0 ? masked : readText(text, { start: lastLineStart, echo, words: wordSet() }).masked;
  return {
    masked: hashText(whole.length > 2 * WINDOW ? mix(masked ^ whole.length) : masked),
    shape: hashText(shape),
    last: hashText(last),
    words: sketchOf(words),
  };
}

/**
 * Collects the words of a text with nothing masked: for arguments and messages, where a time is meant.
 * Returns the sum of their hashes, in which order does not count; 0 when there are none.
 */
export function collectWords(whole: string, words: WordSet, keepsDigits = true): number {
  const text = headAndTail(whole);
  let sum = 0;
  let i = 0;
  while (i < text.length) {
    if (!isWordCode(text.charCodeAt(i))) {
      i++;
      continue;
    }
    const { hash, length, end } = readWord(text, i, keepsDigits);
    i = end;
    if (length === 0 || isStopWord(hash)) continue;
    addWord(words, hash);
    sum = (sum + mix(hash ^ SEED)) | 0;
  }
  return sum;
}

/** A long text without its middle. */
export function headAndTail(text: string, window: number = WINDOW): string {
  return text.length > 2 * window ? `${text.slice(0, window)}\n${text.slice(-window)}` : text;
}

interface ReadOptions {
  readonly start: number;
  readonly echo: WordSet | undefined;
  /** Receives the words of the text. */
  readonly words: WordSet;
}

interface Reading {
  readonly masked: number;
  readonly shape: number;
  /** Start of the last line that is not blank; at most 200 characters before its end. */
  readonly lastLineStart: number;
}

/** Hashes a text word by word. The guardian spends most of its time here. */
function readText(text: string, { start, echo, words }: ReadOptions): Reading {
  let masked = SEED;
  let shape = SEED;
  let punctuation = 0; // hash of the punctuation since the last word
  let previousWord = 0;
  let isLabelled = false; // the value of a volatile label follows
  let isTimeOnly = true; // so far nothing but figures about time, and their names
  let lineStart = start;
  let lastLineStart = start;
  let contentEnd = start;
  let i = start;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (!isWordCode(code)) {
      i++;
      if (code === NEWLINE) {
        isLabelled = false;
        lineStart = i;
      } else if (code > SPACE) {
        punctuation = grow(punctuation, -punctuationCode(code));
        lastLineStart = lineStart;
        contentEnd = i;
      }
      continue;
    }
    let maskedWord = MASK;
    let shapeWord = MASK;
    const partEnd = isDigit(code) || isLabelled ? volatileEnd(text, i, isLabelled) : i;
    if (partEnd > i) {
      i = partEnd;
      isLabelled = false;
      previousWord = 0;
    } else {
      const { hash, end, hasDigits, hasLetters, isHex } = readWord(text, i);
      // A figure is an answer, also when the question contained it.
      const isEchoed = !hasDigits && echo !== undefined && hasWord(echo, hash);
      if (!isEchoed && !isStopWord(hash)) addWord(words, hash);
      const endOfId = hasDigits && hasLetters ? idEnd(text, { start: i, end, isHex }) : undefined;
      maskedWord = isEchoed || endOfId !== undefined ? MASK : hash;
      shapeWord = hasDigits ? NUMBER : maskedWord;
      i = endOfId ?? end;
      isLabelled = isLabel(hash, previousWord, text[i]);
      isTimeOnly &&= isTimeWord(hash);
      previousWord = hash;
    }
    masked = grow(masked ^ punctuation, maskedWord);
    shape = grow(shape ^ punctuation, shapeWord);
    punctuation = 0;
    lastLineStart = lineStart;
    contentEnd = i;
  }
  return {
    masked: isTimeOnly ? hashWord(text.slice(start)) : mix(masked ^ punctuation), // then the time was asked for
    shape: mix(shape ^ punctuation),
    lastLineStart: Math.max(lastLineStart, contentEnd - 200),
  };
}

/** A word of a text: its hash, which ignores case, and its characters. */
interface Word {
  readonly hash: number;
  /** Hashed characters. */
  readonly length: number;
  readonly end: number;
  readonly hasDigits: boolean;
  readonly hasLetters: boolean;
  /** All its letters are hexadecimal digits. */
  readonly isHex: boolean;
}

function readWord(text: string, start: number, keepsDigits = true): Word {
  let hash = isDigit(text.charCodeAt(start)) && isNegative(text, start) ? grow(SEED, MINUS) : SEED;
  let length = 0;
  let hasDigits = false;
  let hasLetters = false;
  let isHex = true;
  let end = start;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (isDigit(code)) {
      hasDigits = true;
      if (!keepsDigits) continue;
    } else if (isWordCode(code)) {
      hasLetters = true;
      if (lowerCase(code) > LAST_HEX) isHex = false;
    } else {
      break;
    }
    hash = grow(hash, lowerCase(code));
    length++;
  }
  return { hash: mix(hash), length, end, hasDigits, hasLetters, isHex };
}

/** Whether the minus sign before a number belongs to it, and not to a range or a name. */
function isNegative(text: string, start: number): boolean {
  return text.charCodeAt(start - 1) === MINUS && (start === 1 || !isWordCode(text.charCodeAt(start - 2)));
}

/** ASCII letters and digits, and everything beyond ASCII, make words. */
function isWordCode(code: number): boolean {
  return code >= 128 || isDigit(code) || isAsciiLetter(code);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isAsciiLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** The lower case of an ASCII letter; other characters stay. */
function lowerCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** All quotes count as one. */
function punctuationCode(code: number): number {
  return code === SINGLE_QUOTE || code === BACKTICK ? DOUBLE_QUOTE : code;
}

const NEWLINE = 10;
const SPACE = 32;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const MINUS = 45;
const BACKTICK = 96;
/** The letter f. */
const LAST_HEX = 102;
