import { matchLength, type Span } from "./span.ts";

const lineBreak = "[ \\t]{0,32}(?:\\r?\\n|\\\\r|\\\\n)";
const header = /-{4,5} ?BEGIN [A-Z\d ]{0,60}-{4,5}/y;
/** The lines of a key: `Proc-Type: …`, and base64. A line break may be written as `\n`. */
const body = new RegExp(
  `(?:(?:${lineBreak}){1,4}[ \\t]{0,32}` +
    "(?:[A-Z][A-Za-z-]{2,20}: [^\\n\\r\\\\]{0,200}|[A-Za-z\\d+/=]{1,100}(?=[ \\t]{0,8}(?:[\\r\\n\\\\\"']|$)))){0,1000}",
  "y",
);
const ending = new RegExp(`(?:${lineBreak}){0,4}[ \\t]{0,32}-{4,5} ?END [A-Z\\d ]{0,60}-{4,5}`, "y");
const rest = /(?:\\r|\\n|[\s-]){0,40}(?:E|EN|END|END [A-Z\d ]{0,60}-{0,4})?$/y;

/** A PEM block from its first to its last line, also if it is cut off; undefined if none begins at this index. */
export function pemBlock(text: string, start: number): Span | undefined {
  if (!text.startsWith("----", start)) return undefined;
  const headerLength = matchLength(header, text, start);
  if (headerLength === 0) return undefined;
  const bodyEnd = start + headerLength + matchLength(body, text, start + headerLength);
  const endingLength = matchLength(ending, text, bodyEnd);
  return { start, end: bodyEnd + endingLength, isOpen: endingLength === 0 && isRest(text, bodyEnd) };
}

/** Two or more lines of base64 as they stand in a key. */
const lines = new RegExp(
  "[A-Za-z\\d+/]{60,76}(?:(?:\\r?\\n|\\\\r\\\\n|" +
    "\\\\n)[ \\t]{0,32}[A-Za-z\\d+/]{60,76}){1,1000}(?:(?:\\r?\\n|\\\\r\\\\n|" +
    "\\\\n)[ \\t]{0,32}[A-Za-z\\d+/=]{1,76})?(?![\\w+/=.,(])",
  "y",
);

/** The body of a key whose first line is missing; undefined if no such line begins at this index. */
export function base64Block(text: string, start: number): Span | undefined {
  const length = matchLength(lines, text, start);
  if (length === 0) return undefined;
  const first = text.slice(start, start + 60);
  const isRandom = /[A-Z]/.test(first) && /[a-z]/.test(first) && /\d/.test(first);
  return isRandom ? { start, end: start + length, isOpen: isRest(text, start + length) } : undefined;
}

/** Whether a text ends here, except for line breaks and the begin of a last line. */
function isRest(text: string, end: number): boolean {
  return text.length - end < 160 && matchLength(rest, text, end) === text.length - end;
}
