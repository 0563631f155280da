/** Text on one line, without characters that a terminal interprets or hides, cut to a length. */
export function shortLine(text: string, maxChars: number): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return line.length > maxChars ? `${line.slice(0, maxChars - 1)}…`.toWellFormed() : line;
}
