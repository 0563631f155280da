/** Control characters, invisible characters, and characters that hide or reorder their neighbours. */
const notPlain = new RegExp(
  "[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Variation_Selector}" +
    "\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u2800\\u3164\\uffa0]|(?! )\\p{Zs}",
  "gu",
);

/** Control characters, and marks that change the direction of text. */
const controls = /(?![\t\n])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text whose control characters are shown by their code points: no part of it is taken for a sequence and left out. */
export function visibleControls(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(controls, show);
}

/**
 * A text that the user is asked to approve, as lines that are safe to print. Characters that are not plain are shown
 * by their code points, so that nothing is hidden.
 */
export function visibleLines(text: string): string[] {
  return text.split("\n").map((line) => line.replaceAll("\t", "  ").replace(notPlain, show));
}

function show(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
