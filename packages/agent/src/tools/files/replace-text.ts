/** A file's data with text replaced, or why that is not possible. `line` is the line of the first replacement. */
export type ReplaceTextResult =
  | { readonly ok: true; readonly data: Buffer; readonly count: number; readonly line: number }
  | { readonly ok: false; readonly problem: string };

export interface TextReplacement {
  readonly old: string;
  readonly new: string;
  readonly replaceAll: boolean;
}

const newline = 10;
const carriageReturn = 13;

/**
 * Replaces text in bytes: all other bytes stay as they are, whatever their encoding. In a file with CRLF line ends, the
 * line ends of both texts become CRLF.
 */
export function replaceText(data: Buffer, { old, new: fresh, replaceAll }: TextReplacement): ReplaceTextResult {
  if (old === "") return { ok: false, problem: "old is empty: give the text to replace" };
  if (old === fresh) return { ok: false, problem: "old and new are the same: there is nothing to change" };
  const [oldText, newText] = usesCrlf(data) ? [withCrlf(old), withCrlf(fresh)] : [old, fresh];
  const needle = Buffer.from(oldText, "utf8");
  const offsets = offsetsOf(data, needle);
  const [first] = offsets;
  if (first === undefined) return { ok: false, problem: `old was not found in the file${hint(data, old)}` };
  if (offsets.length > 1 && !replaceAll) return { ok: false, problem: describeSeveral(data, offsets) };
  return {
    ok: true,
    data: replaceAt(data, offsets, { length: needle.length, replacement: Buffer.from(newText, "utf8") }),
    count: offsets.length,
    line: lineAt(data, first),
  };
}

function offsetsOf(data: Buffer, needle: Buffer): number[] {
  const offsets: number[] = [];
  for (let at = data.indexOf(needle); at !== -1; at = data.indexOf(needle, at + needle.length)) offsets.push(at);
  return offsets;
}

function replaceAt(
  data: Buffer,
  offsets: readonly number[],
  { length, replacement }: { readonly length: number; readonly replacement: Buffer },
): Buffer {
  const parts: Buffer[] = [];
  let copiedTo = 0;
  for (const offset of offsets) {
    parts.push(data.subarray(copiedTo, offset), replacement);
    copiedTo = offset + length;
  }
  return Buffer.concat([...parts, data.subarray(copiedTo)]);
}

/** Whether more than half of the lines end with CRLF. */
function usesCrlf(data: Buffer): boolean {
  let crlfLines = 0;
  let allLines = 0;
  for (let at = data.indexOf(newline); at !== -1; at = data.indexOf(newline, at + 1)) {
    allLines++;
    if (data[at - 1] === carriageReturn) crlfLines++;
  }
  return crlfLines > allLines / 2;
}

function withCrlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

function describeSeveral(data: Buffer, offsets: readonly number[]): string {
  const lines = offsets.slice(0, 5).map((offset) => lineAt(data, offset));
  const listed = `${lines.join(", ")}${offsets.length > lines.length ? ", …" : ""}`;
  return (
    `old occurs ${offsets.length} times (in lines ${listed}): ` +
    "include more of the text around the one you mean, or set replaceAll"
  );
}

function lineAt(data: Buffer, offset: number): number {
  let line = 1;
  for (let at = data.indexOf(newline); at !== -1 && at < offset; at = data.indexOf(newline, at + 1)) line++;
  return line;
}

/** Names the line where the first line of the missing text occurs, when only white space differs. */
function hint(data: Buffer, old: string): string {
  const firstLine = old.split("\n").find((line) => line.trim() !== "");
  const offset = firstLine === undefined ? -1 : data.indexOf(firstLine.trim());
  if (offset === -1) return ": read the file again and copy the text exactly";
  return (
    `, but its first line is like line ${lineAt(data, offset)}: white space or the lines after it differ. ` +
    "Copy the text exactly, without line numbers"
  );
}
