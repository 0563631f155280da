import { type Spelling, spellingsOf } from "./value-spellings.ts";

/** Finds the values of secrets in every spelling of `spellingsOf`. */
export interface ValueMask {
  /** Replaces the values in a text by an ellipsis. */
  mask(text: string): string;
  /**
   * The largest index up to `end` at which a text can be cut without cutting a value in two. A value of which only the
   * beginning has arrived counts too.
   */
  cutBefore(text: string, end: number): number;
}

export function createValueMask(values: readonly string[]): ValueMask {
  const spellings = [
    ...new Map(values.flatMap(spellingsOf).map((spelling) => [spelling.text, spelling])).values(),
  ].sort((a, b) => b.text.length - a.text.length);
  const encoded = spellings.filter(({ encoding }) => encoding !== undefined);
  const shortest = spellings.at(-1)?.text.length ?? Number.POSITIVE_INFINITY;
  return {
    mask(text) {
      if (text.length < shortest) return text;
      let masked = text;
      for (const spelling of spellings) if (masked.includes(spelling.text)) masked = replaceAll(masked, spelling);
      if (hasWrappedLine(masked)) for (const spelling of encoded) masked = replaceWrapped(masked, spelling);
      return masked;
    },
    cutBefore(text, end) {
      let cut = end;
      for (let previous = -1; cut !== previous; ) {
        previous = cut;
        for (const spelling of spellings) cut = startOfValueAt(text, cut, spelling);
      }
      return cut;
    },
  };
}

const partOfBase64 = /[\w+/=-]/;

/** Replaces a spelling, and in base64 the neighbours that hold a part of its first or last byte. */
function replaceAll(text: string, { text: spelling, encoding }: Spelling): string {
  const parts = text.split(spelling);
  if (encoding !== "base64") return parts.join("…");
  return parts
    .map((part, index) => {
      const isAfter = index > 0 && partOfBase64.test(part.charAt(0)) ? 1 : 0;
      const isBefore = index < parts.length - 1 && partOfBase64.test(part.slice(-1)) ? 1 : 0;
      return part.slice(isAfter, Math.max(isAfter, part.length - isBefore));
    })
    .join("…");
}

const lineBreaks = /\r?\n|\\n/g;
/** Programs write encoded data in lines of 60, 64 or 76 characters by default, and in shorter ones if asked to. */
const MIN_WRAPPED = 16;
const wrappedLine = /^[\w+/-]{16}$/;

/** Whether a line of encoded data ends with a line break, which may stand inside of a value. */
function hasWrappedLine(text: string): boolean {
  for (const { index } of text.matchAll(lineBreaks))
    if (index >= MIN_WRAPPED && wrappedLine.test(text.slice(index - MIN_WRAPPED, index))) return true;
  return false;
}

function replaceWrapped(text: string, { text: spelling }: Spelling): string {
  let replaced = "";
  let done = 0;
  for (let at = text.indexOf(spelling.charAt(0)); at >= 0; at = text.indexOf(spelling.charAt(0), at + 1)) {
    const match = matchAt(text, at, { text: spelling, encoding: "base64" });
    if (at < done || match?.isComplete !== true) continue;
    replaced += `${text.slice(done, at)}…`;
    done = match.end;
  }
  return replaced + text.slice(done);
}

/** The start of a value that begins before `cut` and ends behind it, or has not ended yet; otherwise `cut`. */
function startOfValueAt(text: string, cut: number, spelling: Spelling): number {
  const first = spelling.text.charAt(0);
  const longest = spelling.encoding === undefined ? spelling.text.length : 2 * spelling.text.length; // with line breaks
  for (
    let at = text.indexOf(first, Math.max(0, cut - longest));
    at >= 0 && at < cut;
    at = text.indexOf(first, at + 1)
  ) {
    const match = matchAt(text, at, spelling);
    if (match !== undefined && (!match.isComplete || match.end > cut)) return at;
  }
  return cut;
}

interface Match {
  readonly end: number;
  /** False if the text ends before the spelling does. */
  readonly isComplete: boolean;
}

/** Compares a text with a spelling, which may have line breaks in it if it is encoded data. */
function matchAt(text: string, start: number, { text: spelling, encoding }: Spelling): Match | undefined {
  let at = start;
  for (let index = 0; index < spelling.length; index += 1) {
    if (encoding !== undefined && index > 0) at += lineBreakAt(text, at);
    if (at >= text.length) return { end: at, isComplete: false };
    if (text.charCodeAt(at) !== spelling.charCodeAt(index)) return undefined;
    at += 1;
  }
  return { end: at, isComplete: true };
}

const BACKSLASH = 92;

/** The length of a line break at an index, also of one that is escaped; 0 if there is none. */
function lineBreakAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 10) return 1;
  if (code === 13) return text.charCodeAt(at + 1) === 10 ? 2 : 1;
  if (code !== BACKSLASH) return 0;
  return at + 1 === text.length ? 1 : text.charAt(at + 1) === "n" ? 2 : 0; // the "n" may arrive later
}
