import type { JsonObject } from "../trajectory/json-fields.ts";
import { isObject, parseJson } from "../trajectory/parse-json.ts";
import type { Line } from "./lines.ts";
import { MAX_LINE_BYTES } from "./lines.ts";
import { type ReadItem, runItem, skip } from "./read-item.ts";
import type { LineParser, LineReader } from "./reader.ts";
import { countUnknown, type UnknownKinds } from "./unknown-kinds.ts";

/** Reads all lines with a reader, then yields the runs. Lines of unknown kinds are reported once a file. */
export async function* readLines(
  lines: AsyncIterable<Line>,
  reader: LineReader,
  file: string,
): AsyncGenerator<ReadItem> {
  const parser = reader.open(file);
  const unknown = countUnknown();
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const line of lines) {
      const problem = readLine(line, parser, unknown);
      if (problem !== undefined) yield skip(file, line.number, problem);
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

function readLine(line: Line, parser: LineParser, unknown: UnknownKinds): string | undefined {
  if (line.type === "too-long") return `this line is longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB`;
  if (line.text.trim() === "") return undefined;
  const parsed = line.parsed ?? parseJson(line.text);
  if (!parsed.ok) return `this is not JSON (${parsed.why})`;
  const value = lineObject(parsed.value);
  if (value === undefined) return "this line is not a JSON object";
  const result = parser.line(value, line.number);
  if (result === "read") return undefined;
  if ("malformed" in result) return result.malformed;
  unknown.add(result.unknown, line.number);
  return undefined;
}
