import { secretForms } from "./secret-forms.ts";
import { codeAt, isWordCode, matchLength, type Span } from "./span.ts";
import { wordRules } from "./word-rules.ts";

/** Something that begins with fixed characters. */
interface Start {
  readonly literal: string;
  /** Called with the index of the literal. */
  find(text: string, at: number): Span | undefined;
}

/** The starts by their first two characters. */
const starts = new Map<number, readonly Start[]>();
/** Whether any start begins with these two characters: faster than the map. */
const isStart = new Uint8Array(128 * 128);

function addStart(start: Start): void {
  const pair = start.literal.charCodeAt(0) * 128 + start.literal.charCodeAt(1);
  starts.set(pair, [...(starts.get(pair) ?? []), start]);
  isStart[pair] = 1;
}

for (const { starts: literals, rest, before = 0 } of secretForms) {
  const pattern = new RegExp(withoutCounting(rest), "y");
  for (const literal of literals.split(" "))
    addStart({
      literal,
      find(text, at) {
        const start = at + literal.length;
        const length = matchLength(pattern, text, start);
        if (length === 0) return undefined;
        return {
          start: at - wordBefore(text, at, before),
          end: start + length,
          isOpen: start + length === text.length,
        };
      },
    });
}
for (const { starts: literals, find } of wordRules)
  for (const literal of literals.split("|")) addStart({ literal, find });

/**
 * Writes `x{8,}` as `x{8}x*`: V8 needs stack for each repetition that it counts, so that a word of ten million
 * characters would overflow it.
 */
function withoutCounting(pattern: string): string {
  return pattern.replace(/(\[[^\]]*\]|\\w)\{(\d+),\}/g, "$1{$2}$1*");
}

/** The length of the word right before an index, a dot included, if it has at most `max` characters. */
function wordBefore(text: string, at: number, max: number): number {
  let length = 0;
  while (length < max && (isWordCode(codeAt(text, at - length - 1)) || (length === 0 && max > 0))) length += 1;
  return length;
}

/** The secret, or the public data, whose fixed first characters are at this index, or right behind an escape. */
export function secretAtStart(text: string, at: number): Span | undefined {
  const span = findAt(text, at);
  if (span !== undefined) return span;
  const before = codeAt(text, at - 1);
  if (before === BACKSLASH) return findAt(text, at + 1); // `\nsk-…`
  return before === PERCENT ? findAt(text, at + 2) : undefined; // `%3Dsk-…`
}

const BACKSLASH = 92;
const PERCENT = 37;

function findAt(text: string, at: number): Span | undefined {
  const first = codeAt(text, at);
  const second = codeAt(text, at + 1);
  if (!(first < 128 && second < 128) || isStart[first * 128 + second] !== 1) return undefined;
  for (const start of starts.get(first * 128 + second) ?? []) {
    const span = text.startsWith(start.literal, at) ? start.find(text, at) : undefined;
    if (span !== undefined) return span;
  }
  return undefined;
}
