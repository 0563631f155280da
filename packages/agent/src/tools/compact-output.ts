const charsPerToken = 4;
const headShare = 0.6;

/** Text cut to a number of tokens (four characters each): its head and its tail, cut at line ends where one is near, with a line between that says what is missing. */
export function compactOutput(text: string, maxTokens: number): string {
  const maxChars = Math.max(0, Math.floor(maxTokens * charsPerToken));
  if (text.length <= maxChars) return text;
  const room = maxChars - notice(text.length, text.length).length;
  if (room <= 0) return whole(text.slice(0, maxChars));
  const headEnd = endOfHead(text, Math.ceil(room * headShare));
  const tailStart = startOfTail(text, text.length - Math.floor(room * (1 - headShare)));
  const missing = text.slice(headEnd, tailStart);
  return `${whole(text.slice(0, headEnd))}${notice(missing.length, linesIn(missing))}${whole(text.slice(tailStart))}`;
}

function notice(chars: number, lines: number): string {
  return `\n[… ${chars} characters${lines > 0 ? ` (${lines} lines)` : ""} left out here; ask for a smaller part to see them …]\n`;
}

/** The last line end of the head's second half, or the very place where there is none. */
function endOfHead(text: string, at: number): number {
  const newline = text.lastIndexOf("\n", at - 1);
  return newline > at / 2 ? newline : at;
}

/** The first line start of the tail's first half, or the very place. */
function startOfTail(text: string, at: number): number {
  const newline = text.indexOf("\n", at);
  return newline !== -1 && newline < at + (text.length - at) / 2 ? newline + 1 : at;
}

function linesIn(text: string): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** Without halves of a character at its ends. */
function whole(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
}
