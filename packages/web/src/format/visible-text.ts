/** Control characters except line breaks and tabs, invisible characters, and those that hide or reorder others. */
const notPlain = new RegExp(
  "(?![\\n\\t])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Variation_Selector}" +
    "\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u2800\\u3164\\uffa0]|(?! )\\p{Zs}",
  "gu",
);

/**
 * Text of a tool, such as a command or the name of a file, in which nothing is hidden: characters that are not plain
 * are shown by their code points, `\u{202e}`, as the terminal shows them.
 */
export function visibleText(text: string): string {
  return text.replace(notPlain, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The beginning of a long text, its end, and what is between them. */
export interface ClippedText {
  readonly start: string;
  /** "12 more lines"; undefined if nothing is left out. */
  readonly more: string | undefined;
  readonly end: string;
}

/** The lines that are shown behind what is left out: a command must not hide its end. */
const endLines = 3;
/** Longer lines count as several. */
const lineChars = 400;

/** Text of a tool in at most about `maxLines` lines, with a sign for what is left out. */
export function clippedText(text: string, maxLines: number): ClippedText {
  const lines = visibleText(text)
    .split("\n")
    .flatMap((line) => line.match(new RegExp(`.{1,${lineChars}}`, "gsu")) ?? [""]);
  const left = lines.length - maxLines;
  if (left <= 0) return { start: visibleText(text), more: undefined, end: "" };
  return {
    start: lines.slice(0, maxLines - endLines).join("\n"),
    more: `${left} more ${left === 1 ? "line" : "lines"}`,
    end: lines.slice(-endLines).join("\n"),
  };
}
