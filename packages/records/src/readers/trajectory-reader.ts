import { unpacked } from "./gunzip.ts";
import { type Line, linesOf, MAX_LINE_BYTES } from "./lines.ts";
import { parseRun } from "../trajectory/trajectory-line.ts";
import { type ReadItem, skip } from "./read-item.ts";
import { NotText, whyUnreadable } from "./read-failure.ts";

const LOOKED_AT_BYTES = 8 * 1024;

/** Reads trajectory JSONL, plain or gzip, one run at a time. Whatever is wrong with it comes out as skipped, never as an error. */
export async function* readTrajectory(bytes: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<ReadItem> {
  let line = 0;
  let items = 0;
  try {
    for await (const each of linesOf(textOnly(unpacked(bytes)))) {
      line = each.number;
      const item = itemOf(each, file);
      if (item === undefined) continue;
      items++;
      yield item;
    }
  } catch (error) {
    const { why, isWholeFile } = whyUnreadable(error, line);
    yield skip(file, isWholeFile ? 0 : line + 1, why);
    return;
  }
  if (items === 0) yield skip(file, 0, line === 0 ? "it is empty" : "it holds blank lines only, no run");
}

function itemOf(line: Line, file: string): ReadItem | undefined {
  if (line.type === "too-long")
    return skip(
      file,
      line.number,
      `this line is longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB; a run must fit into that`,
    );
  const text = line.number === 1 ? withoutByteOrderMark(line.text) : line.text;
  if (text.trim() === "") return undefined;
  const parsed = parseRun(text, `${file}:${line.number}`);
  return parsed.ok ? { type: "run", run: parsed.run, file, line: line.number } : skip(file, line.number, parsed.why);
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Passes text through and gives up at once on what is none, before a picture becomes ten thousand bad lines. */
async function* textOnly(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const chunk of bytes) {
    if (seen < LOOKED_AT_BYTES && chunk.subarray(0, LOOKED_AT_BYTES - seen).includes(0)) throw new NotText();
    seen += chunk.length;
    yield chunk;
  }
}
