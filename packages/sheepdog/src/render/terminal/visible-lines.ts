/** Characters that a terminal would obey, and those that nobody sees and that hide or turn around what stands beside them. */
const notPlain = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\u034f|(?! )\p{Zs}/gu;

/** A text that somebody is asked to allow, as lines that are safe to print: whatever is not plain is shown by its number, so that nothing of it is left out. */
export function frankLines(text: string): string[] {
  const show = (character: string) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  return text.split("\n").map((line) => line.replaceAll("\t", "  ").replace(notPlain, show));
}
