import type { JsonObject } from "../trajectory/json-fields.ts";
import { isObject, parseJson } from "../trajectory/parse-json.ts";
import { documentReaders, knownReaders, lineReaders } from "./known-readers.ts";
import { zerosLeftOut } from "./line-records.ts";
import type { Line } from "./lines.ts";
import { describeReadFailure } from "./read-failure.ts";
import { type ReadItem, skip, skipRest } from "./read-item.ts";
import { readLines } from "./read-lines.ts";
import { type RecordingHead, readHead } from "./recording-head.ts";
import { textLines } from "./text-lines.ts";
import { readTrajectoryLines } from "./trajectory-reader.ts";

/** Lines that follow each other. */
type Lines = readonly Line[];

/** A longer document is not read. */
const MAX_DOCUMENT_CHARS = 256 * 1024 * 1024;

/**
 * Reads a recording in any format of text, plain or packed. The format is recognized by the content. Yields a skipped
 * item for each fault and never throws.
 */
export async function* readRecording(bytes: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<ReadItem> {
  let linesRead = 0;
  async function* counted(batches: AsyncIterable<Lines>): AsyncGenerator<Lines> {
    for await (const lines of batches) {
      linesRead += lines.length;
      yield lines;
    }
  }
  const batches = counted(textLines(bytes));
  try {
    yield* readInItsFormat(batches, file);
  } catch (error) {
    const failure = describeReadFailure(error, linesRead);
    yield skipRest(file, failure.isWholeFile ? 0 : linesRead + 1, failure);
  } finally {
    await batches.return(undefined);
  }
}

async function* readInItsFormat(batches: AsyncGenerator<Lines>, file: string): AsyncGenerator<ReadItem> {
  const head = await readHead(batches);
  const all = chain(head, batches);
  const reader = head.isIndented ? undefined : lineReaders.find((candidate) => candidate.recognizes(head.objects));
  if (reader !== undefined) yield* readLines(all, reader, file);
  else if (head.isDocument) yield* readDocument(head, all, file);
  else if (isForeign(head.objects)) yield skip(file, 0, unknownFormat("lines of JSON"));
  else if (isPlainText(head.lines)) yield skip(file, 0, unknownFormat("text that is not JSON"));
  else yield* readTrajectoryLines(all, file);
}

/** Whether there is text, and no line begins like an object or a list. */
function isPlainText(lines: Lines): boolean {
  const texts = lines.map((line) => (line.type === "line" ? line.text.trim() : "{"));
  return texts.some((text) => text !== "") && !texts.some((text) => /^[{[]/.test(text));
}

/** Whether there are objects, and none of them is a run or could be meant as one. */
function isForeign(objects: readonly JsonObject[]): boolean {
  return objects.length > 0 && !objects.some(isRunLike);
}

function isRunLike(value: JsonObject): boolean {
  return "steps" in value || ("id" in value && !eventFields.some((field) => field in value));
}

/** Fields of messages and events in formats of others. */
const eventFields = ["type", "kind", "role", "message", "event"];

/** All lines of the file: those of the head, and then the rest or the error behind them. */
async function* chain(head: RecordingHead, rest: AsyncIterable<Lines>): AsyncGenerator<Lines> {
  yield head.lines;
  if (head.failure !== undefined) throw head.failure.error;
  if (!head.isComplete) yield* rest;
}

async function* readDocument(head: RecordingHead, all: AsyncIterable<Lines>, file: string): AsyncGenerator<ReadItem> {
  const texts: string[] = [];
  let chars = 0;
  let zeros = 0;
  for await (const lines of all) {
    for (const line of lines) {
      const text = line.type === "line" ? line.text : "";
      chars += text.length + 1;
      if (line.type === "line") zeros += line.zeros ?? 0;
      if (line.type === "too-long" || chars > MAX_DOCUMENT_CHARS) {
        yield skip(file, 0, "it is one JSON document of more than 256 MB, which is too much to read at once");
        return;
      }
      texts.push(text);
    }
  }
  const parsed = parseJson(texts.join("\n"));
  if (zeros > 0) yield skip(file, 0, zerosLeftOut(zeros));
  if (!parsed.ok) {
    yield skip(file, 0, `it begins like a JSON document, and is none (${parsed.why})`);
    return;
  }
  const reader = documentReaders.find((candidate) => candidate.recognizes(parsed.value));
  if (reader !== undefined) yield* reader.read(parsed.value, file);
  else if (isObject(parsed.value) && isRunLike(parsed.value)) yield* readTrajectoryLines(chain(head, noLines()), file);
  else yield skip(file, 0, unknownFormat("a JSON document"));
}

async function* noLines(): AsyncGenerator<Lines> {}

function unknownFormat(what: string): string {
  const labels = [...new Set(knownReaders.map(({ label }) => label))];
  return `it holds ${what}, in no format that can be read (${[...labels, "trajectory JSONL"].join(", ")})`;
}
