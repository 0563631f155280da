const charsPerToken = 4;
const headShare = 0.6;

/**
 * Cuts text to a number of tokens (four characters each): keeps its head and its tail, cut at line ends where one is
 * near, and puts a line between them that says how much is missing.
 */
export function compactOutput(text: string, maxTokens: number): string {
  const maxChars = Math.max(0, Math.floor(maxTokens * charsPerToken));
  if (text.length <= maxChars) return text;
  const available = maxChars - notice(text.length, text.length).length;
  if (available <= 0) return withoutHalfCharacters(text.slice(0, maxChars));
  const headEnd = endOfHead(text, Math.ceil(available * headShare));
  const tailStart = startOfTail(text, text.length - Math.floor(available * (1 - headShare)));
  const missing = text.slice(headEnd, tailStart);
  const head = withoutHalfCharacters(text.slice(0, headEnd));
  const tail = withoutHalfCharacters(text.slice(tailStart));
  return `${head}${notice(missing.length, missing.split("\n").length - 1)}${tail}`;
}

function notice(chars: number, lines: number): string {
  const lineCount = lines > 0 ? ` (${lines} lines)` : "";
  return `\n[… ${chars} characters${lineCount} left out here; ask for a smaller part to see them …]\n`;
}

/** The last line end in the second half of the head, or `limit` when there is none. */
function endOfHead(text: string, limit: number): number {
  const newline = text.lastIndexOf("\n", limit - 1);
  return newline > limit / 2 ? newline : limit;
}

/** The first line start in the first half of the tail, or `limit` when there is none. */
function startOfTail(text: string, limit: number): number {
  const newline = text.indexOf("\n", limit);
  return newline !== -1 && newline < limit + (text.length - limit) / 2 ? newline + 1 : limit;
}

/** Removes half of a surrogate pair at either end. */
function withoutHalfCharacters(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
}
