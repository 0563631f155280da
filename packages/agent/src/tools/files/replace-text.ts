/** A file's bytes with a text replaced, or why that cannot be done. */
export type ReplaceTextResult =
  | { readonly ok: true; readonly data: Buffer; readonly count: number; readonly line: number }
  | { readonly ok: false; readonly problem: string };

export interface TextReplacement {
  readonly old: string;
  readonly new: string;
  readonly replaceAll: boolean;
}

/** Replaces text in bytes: everything else stays byte for byte, whatever its encoding. In a file with CRLF line ends those of the texts are CRLF as well. */
export function replaceText(data: Buffer, { old, new: fresh, replaceAll }: TextReplacement): ReplaceTextResult {
  if (old === "") return { ok: false, problem: "old is empty: say which text is to be replaced" };
  if (old === fresh) return { ok: false, problem: "old and new are the same: there is nothing to change" };
  const [wanted, instead] = usesCrlf(data) ? [withCrlf(old), withCrlf(fresh)] : [old, fresh];
  const needle = Buffer.from(wanted, "utf8");
  const places = placesOf(data, needle);
  const [first] = places;
  if (first === undefined) return { ok: false, problem: `old was not found in the file${hint(data, old)}` };
  if (places.length > 1 && !replaceAll) return { ok: false, problem: severalTimes(data, places) };
  return {
    ok: true,
    data: spliced(data, places, { length: needle.length, by: Buffer.from(instead, "utf8") }),
    count: places.length,
    line: lineAt(data, first),
  };
}

function placesOf(data: Buffer, needle: Buffer): number[] {
  const places: number[] = [];
  for (let at = data.indexOf(needle); at !== -1; at = data.indexOf(needle, at + needle.length)) places.push(at);
  return places;
}

function spliced(
  data: Buffer,
  places: readonly number[],
  { length, by }: { readonly length: number; readonly by: Buffer },
): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (const place of places) {
    parts.push(data.subarray(from, place), by);
    from = place + length;
  }
  return Buffer.concat([...parts, data.subarray(from)]);
}

/** Whether most lines end with CRLF. */
function usesCrlf(data: Buffer): boolean {
  let crlf = 0;
  let all = 0;
  for (let at = data.indexOf(10); at !== -1; at = data.indexOf(10, at + 1)) {
    all++;
    if (data[at - 1] === 13) crlf++;
  }
  return crlf > all / 2;
}

function withCrlf(text: string): string {
  return text.replace(/\r?\n/g, "\r\n");
}

function severalTimes(data: Buffer, places: readonly number[]): string {
  const lines = places.slice(0, 5).map((place) => lineAt(data, place));
  return `old is there ${places.length} times (in lines ${lines.join(", ")}${places.length > lines.length ? ", …" : ""}): give more of the text around the one you mean, or set replaceAll`;
}

function lineAt(data: Buffer, place: number): number {
  let line = 1;
  for (let at = data.indexOf(10); at !== -1 && at < place; at = data.indexOf(10, at + 1)) line++;
  return line;
}

/** Where the first words of the missing text are, when only the white space differs. */
function hint(data: Buffer, old: string): string {
  const words = old.split("\n").find((line) => line.trim() !== "");
  const place = words === undefined ? -1 : data.indexOf(words.trim());
  if (place === -1) return ": read the file again and copy the text exactly";
  return `, but its first line is like line ${lineAt(data, place)}: white space or the lines after it differ. Copy the text exactly, without line numbers`;
}
