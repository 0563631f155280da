import { parseRun } from "../trajectory/trajectory-line.ts";
import { lineRecords } from "./line-records.ts";
import { type Line, MAX_LINE_BYTES } from "./lines.ts";
import { type ReadItem, skip } from "./read-item.ts";

/** Reads trajectory JSONL: one run a line. Yields a skipped item for each line that is none. */
export async function* readTrajectoryLines(
  batches: AsyncIterable<readonly Line[]>,
  file: string,
): AsyncGenerator<ReadItem> {
  let linesRead = 0;
  let itemCount = 0;
  for await (const lines of batches) {
    for (const line of lines) {
      linesRead = line.number;
      const items = readLine(line, file);
      itemCount += items.length;
      yield* items;
    }
  }
  if (itemCount === 0) yield skip(file, 0, linesRead === 0 ? "it is empty" : "it holds blank lines only, no run");
}

function readLine(line: Line, file: string): readonly ReadItem[] {
  if (line.type === "too-long") {
    const maxMebibytes = MAX_LINE_BYTES / 1024 / 1024;
    return [skip(file, line.number, `this line is longer than ${maxMebibytes} MiB; a run must fit into that`)];
  }
  const { records, problems } = lineRecords(line, "; every line must hold one run as a JSON object");
  return [...problems.map((why) => skip(file, line.number, why)), ...records.map(readRecord)];

  function readRecord({ text }: { readonly text: string }): ReadItem {
    const parsed = parseRun(text, `${file}:${line.number}`);
    return parsed.ok ? { type: "run", run: parsed.run, file, line: line.number } : skip(file, line.number, parsed.why);
  }
}
