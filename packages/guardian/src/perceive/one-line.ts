/** The longest line that is used. */
const MAX_LINE = 240;

/** The text of a model as one short line without control characters; undefined if nothing is left. */
export function oneLine(text: string): string | undefined {
  const line = text
    .slice(0, 4 * MAX_LINE)
    .replace(/\p{Cc}\[[\d;?]*[a-z]/giu, "")
    .replace(/[\s\p{C}]+/gu, " ")
    .trim();
  if (line === "") return undefined;
  return line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE - 1)}…`;
}
