import type { JsonObject } from "../trajectory/json-fields.ts";
import { isObject } from "../trajectory/parse-json.ts";
import { lineRecords } from "./line-records.ts";
import type { Line } from "./lines.ts";
import { MAX_LINE_BYTES } from "./lines.ts";
import { type ReadItem, runItem, skip } from "./read-item.ts";
import type { LineParser, LineReader } from "./reader.ts";
import { countUnknown, type UnknownKinds } from "./unknown-kinds.ts";

/** Reads all lines with a reader, then yields the runs. Lines of unknown kinds are reported once a file. */
export async function* readLines(
  batches: AsyncIterable<readonly Line[]>,
  reader: LineReader,
  file: string,
): AsyncGenerator<ReadItem> {
  const parser = reader.open(file);
  const unknown = countUnknown();
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const lines of batches) {
      for (const line of lines) {
        for (const problem of readLine(line, parser, unknown)) yield skip(file, line.number, problem);
      }
    }
  } catch (error) {
    failure = { error }; // the lines before it have been read
  }
  const runs = parser.end();
  for (const run of runs) yield runItem(run, file, run.steps[0]?.position?.line ?? 1);
  const passedOver = unknown.item(file, reader.label);
  if (passedOver !== undefined) yield passedOver;
  if (failure !== undefined) throw failure.error;
  if (runs.length === 0)
    yield skip(file, 0, `it is ${article(reader.label)} ${reader.label} recording without a reply of a model`);
}

function article(noun: string): string {
  return /^[AEIO]/.test(noun) ? "an" : "a";
}

/** The object of a line; a list stands for the messages of a conversation. undefined for any other value. */
export function lineObject(value: unknown): JsonObject | undefined {
  if (Array.isArray(value)) return { messages: value };
  return isObject(value) ? value : undefined;
}

/** Returns what is wrong with a line. */
function readLine(line: Line, parser: LineParser, unknown: UnknownKinds): readonly string[] {
  if (line.type === "too-long") return [`this line is longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB`];
  const { records, problems } = lineRecords(line);
  return [...problems, ...records.flatMap(({ value }) => readValue(value, line.number, parser, unknown) ?? [])];
}

function readValue(parsedValue: unknown, line: number, parser: LineParser, unknown: UnknownKinds): string | undefined {
  const value = lineObject(parsedValue);
  if (value === undefined) return "this line is not a JSON object";
  const result = parser.line(value, line);
  if (result === "read") return undefined;
  if ("malformed" in result) return result.malformed;
  unknown.add(result.unknown, line);
  return undefined;
}
