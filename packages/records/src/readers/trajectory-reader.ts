import { parseRun } from "../trajectory/trajectory-line.ts";
import { gunzipIfPacked } from "./gunzip.ts";
import { type Line, MAX_LINE_BYTES, splitLines } from "./lines.ts";
import { BinaryContent, describeReadFailure } from "./read-failure.ts";
import { type ReadItem, skip } from "./read-item.ts";

/** How much of a file is searched for zero bytes. */
const BINARY_CHECK_BYTES = 8 * 1024;

/** Reads trajectory JSONL, plain or gzip, one run at a time. Yields a skipped item for each fault and never throws. */
export async function* readTrajectory(bytes: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<ReadItem> {
  let linesRead = 0;
  let itemCount = 0;
  try {
    for await (const line of splitLines(rejectBinary(gunzipIfPacked(bytes)))) {
      linesRead = line.number;
      const item = readLine(line, file);
      if (item === undefined) continue;
      itemCount++;
      yield item;
    }
  } catch (error) {
    const { why, isWholeFile } = describeReadFailure(error, linesRead);
    yield skip(file, isWholeFile ? 0 : linesRead + 1, why);
    return;
  }
  if (itemCount === 0) yield skip(file, 0, linesRead === 0 ? "it is empty" : "it holds blank lines only, no run");
}

function readLine(line: Line, file: string): ReadItem | undefined {
  if (line.type === "too-long") {
    const maxMebibytes = MAX_LINE_BYTES / 1024 / 1024;
    return skip(file, line.number, `this line is longer than ${maxMebibytes} MiB; a run must fit into that`);
  }
  const text = line.number === 1 ? withoutByteOrderMark(line.text) : line.text;
  if (text.trim() === "") return undefined;
  const parsed = parseRun(text, `${file}:${line.number}`);
  return parsed.ok ? { type: "run", run: parsed.run, file, line: line.number } : skip(file, line.number, parsed.why);
}

function withoutByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Throws for binary content, so that an image is reported once and not as ten thousand bad lines. */
async function* rejectBinary(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let checkedBytes = 0;
  for await (const chunk of bytes) {
    if (chunk.subarray(0, Math.max(0, BINARY_CHECK_BYTES - checkedBytes)).includes(0)) throw new BinaryContent();
    checkedBytes += chunk.length;
    yield chunk;
  }
}
