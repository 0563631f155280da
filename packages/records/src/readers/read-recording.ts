import type { JsonObject } from "../trajectory/json-fields.ts";
import { isObject, parseJson } from "../trajectory/parse-json.ts";
import { documentReaders, knownReaders, lineReaders } from "./known-readers.ts";
import type { Line } from "./lines.ts";
import { describeReadFailure } from "./read-failure.ts";
import { type ReadItem, skip } from "./read-item.ts";
import { lineObject, readLines } from "./read-lines.ts";
import { textLines } from "./text-lines.ts";
import { readTrajectoryLines } from "./trajectory-reader.ts";

/** The format is chosen by at most this many lines and characters from the beginning. */
const HEAD_LINES = 50;
const HEAD_CHARS = 4_000_000;
/** A longer document is not read. */
const MAX_DOCUMENT_CHARS = 256 * 1024 * 1024;

/**
 * Reads a recording in any format of text, plain or packed. The format is recognized by the content. Yields a skipped
 * item for each fault and never throws.
 */
export async function* readRecording(bytes: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<ReadItem> {
  let linesRead = 0;
  async function* counted(lines: AsyncIterable<Line>): AsyncGenerator<Line> {
    for await (const line of lines) {
      linesRead = line.number;
      yield line;
    }
  }
  const lines = counted(textLines(bytes));
  try {
    yield* readInItsFormat(lines, file);
  } catch (error) {
    const { why, isWholeFile } = describeReadFailure(error, linesRead);
    yield skip(file, isWholeFile ? 0 : linesRead + 1, why);
  } finally {
    await lines.return(undefined);
  }
}

async function* readInItsFormat(lines: AsyncGenerator<Line>, file: string): AsyncGenerator<ReadItem> {
  const head = await readHead(lines);
  const all = chain(head, lines);
  const reader = head.isIndented ? undefined : lineReaders.find((candidate) => candidate.recognizes(head.objects));
  if (reader !== undefined) yield* readLines(all, reader, file);
  else if (head.isDocument) yield* readDocument(head, all, file);
  else if (isForeign(head.objects)) yield skip(file, 0, unknownFormat("lines of JSON"));
  else yield* readTrajectoryLines(all, file);
}

interface Head {
  readonly lines: readonly Line[];
  readonly objects: readonly JsonObject[];
  /** Whether these are all lines of the file. */
  readonly isComplete: boolean;
  /** Whether the file is one JSON value instead of one a line. */
  readonly isDocument: boolean;
  /** Whether the file is one JSON value over several lines, single ones of which may look like another format. */
  readonly isIndented: boolean;
  /** An error behind these lines. */
  readonly failure?: { readonly error: unknown };
}

async function readHead(lines: AsyncGenerator<Line>): Promise<Head> {
  const taken: Line[] = [];
  let chars = 0;
  let isComplete = false;
  let failure: Head["failure"];
  try {
    while (taken.length < HEAD_LINES && chars < HEAD_CHARS) {
      const { value, done } = await lines.next();
      if (done) {
        isComplete = true;
        break;
      }
      taken.push(value);
      chars += value.type === "line" ? value.text.length : 0;
    }
  } catch (error) {
    isComplete = true;
    failure = { error };
  }
  const parsedLines = taken.map((line) => (line.type === "line" ? { ...line, parsed: parseJson(line.text) } : line));
  const written = parsedLines.flatMap((line) => (line.type === "line" && line.text.trim() !== "" ? [line] : []));
  const values = written.map(({ parsed }) => parsed);
  const [first] = values;
  const firstText = written[0]?.text ?? "";
  const objects = values.flatMap((parsed) => {
    const object = parsed.ok ? lineObject(parsed.value) : undefined;
    return object === undefined ? [] : [object];
  });
  const isOnlyValue = isComplete && values.length === 1 && first?.ok === true && !isRunLine(first.value);
  const isList = first?.ok === true && Array.isArray(first.value);
  const isBroken = first?.ok === false && /^\s*[[{]\s*(?:"[^"]*"\s*:.{0,200})?$/s.test(firstText);
  const isIndented = first?.ok === false && /^\s*(?:\{\s*$|\[)/.test(firstText);
  return {
    lines: parsedLines,
    objects,
    isComplete,
    isDocument: isOnlyValue || (isList && isComplete && values.length === 1) || isBroken || isIndented,
    isIndented,
    ...(failure === undefined ? {} : { failure }),
  };
}

function isRunLine(value: unknown): boolean {
  return isObject(value) && "steps" in value;
}

/** Whether there are objects and none of them is a run. */
function isForeign(objects: readonly JsonObject[]): boolean {
  return objects.length > 0 && !objects.some((value) => "steps" in value || "id" in value);
}

/** All lines of the file: those of the head, and then the rest or the error behind them. */
async function* chain(head: Head, rest: AsyncIterable<Line>): AsyncGenerator<Line> {
  yield* head.lines;
  if (head.failure !== undefined) throw head.failure.error;
  if (!head.isComplete) yield* rest;
}

async function* readDocument(head: Head, all: AsyncIterable<Line>, file: string): AsyncGenerator<ReadItem> {
  const texts: string[] = [];
  let chars = 0;
  for await (const line of all) {
    const text = line.type === "line" ? line.text : "";
    chars += text.length + 1;
    if (line.type === "too-long" || chars > MAX_DOCUMENT_CHARS) {
      yield skip(file, 0, "it is one JSON document of more than 256 MB, which is too much to read at once");
      return;
    }
    texts.push(text);
  }
  const parsed = parseJson(texts.join("\n"));
  if (!parsed.ok) {
    yield skip(file, 0, `it begins like a JSON document, and is none (${parsed.why})`);
    return;
  }
  const reader = documentReaders.find((candidate) => candidate.recognizes(parsed.value));
  if (reader !== undefined) yield* reader.read(parsed.value, file);
  else if (head.isComplete && !isForeign(head.objects)) yield* readTrajectoryLines(chain(head, all), file);
  else yield skip(file, 0, unknownFormat("a JSON document"));
}

function unknownFormat(what: string): string {
  const labels = [...new Set(knownReaders.map(({ label }) => label))];
  return `it holds ${what}, in no format that can be read (${[...labels, "trajectory JSONL"].join(", ")})`;
}
