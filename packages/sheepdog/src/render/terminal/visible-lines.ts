/** Control characters, invisible characters, and characters that hide or reorder their neighbours. */
const notPlain = new RegExp(
  "[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Variation_Selector}" +
    "\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u2800\\u3164\\uffa0]|(?! )\\p{Zs}",
  "gu",
);

/**
 * A text that the user is asked to approve, as lines that are safe to print. Characters that are not plain are shown
 * by their code points, so that nothing is hidden.
 */
export function visibleLines(text: string): string[] {
  const show = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  return text.split("\n").map((line) => line.replaceAll("\t", "  ").replace(notPlain, show));
}
