import { createWordFinder } from "./word-finder.ts";

/** Words behind which a secret may stand. */
const words = [
  "password",
  "passwd",
  "pwd",
  "secret",
  "token",
  "api",
  "key",
  "authorization",
  "credential",
  "bearer",
  "basic",
] as const;
const opener = new RegExp(
  `(?:${words.join("|")})[^\\s]{0,40}\\s*(?:[:=]\\s*)?["']?(?:(?:bearer|basic|token)\\s*)?$`,
  "i",
);
const finder = createWordFinder(words);
const contextLength = 96;
const maxHeld = 2_048;
const maxTries = 16;

/**
 * How much of a stream's text can be shown; the rest has to wait. A secret that comes in two pieces is known as one only when it is whole, so the
 * last word, and what opens it, is held back until the next space. Text without a space waits up to 2,048 characters.
 */
export function publishableLength(text: string): number {
  let cut = text.length;
  for (let tries = 0; tries < maxTries; tries += 1) {
    cut = lastSpace(text, cut);
    if (cut <= 0) break;
    if (!opensSecret(text, cut)) return cut;
    cut -= 1;
  }
  return text.length > maxHeld ? text.length : 0;
}

/** Whether a secret may follow the text up to a place. */
function opensSecret(text: string, end: number): boolean {
  const start = Math.max(0, end - contextLength);
  return mayOpenSecret(text, start, end) && opener.test(text.slice(start, end));
}

/** False only where the pattern does not match. What it matches ends with a word that holds one of its own, or else with a mark. */
function mayOpenSecret(text: string, start: number, end: number): boolean {
  let last = end;
  while (last > start && isSpace(text.charCodeAt(last - 1))) last -= 1;
  if (last === start) return false;
  if (isMark(text.charCodeAt(last - 1))) return finder.isIn(text, start, last);
  let first = last - 1;
  while (first > start && !isSpace(text.charCodeAt(first - 1))) first -= 1;
  return finder.isIn(text, first, last);
}

/** White space of ASCII. */
function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** `"`, `'`, `:` or `=`; or beyond ASCII, where it may be white space. */
function isMark(code: number): boolean {
  return code === 34 || code === 39 || code === 58 || code === 61 || code > 127;
}

/** The place behind the last white space before `end`; 0 where there is none. */
function lastSpace(text: string, end: number): number {
  for (let place = end - 1; place >= 0; place -= 1) {
    const code = text.charCodeAt(place);
    if (code === 32 || code === 10 || code === 9 || code === 13) return place + 1;
  }
  return 0;
}
