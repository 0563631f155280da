import type { JsonObject } from "../trajectory/json-fields.ts";
import { isObject, parseJson } from "../trajectory/parse-json.ts";
import { lineRecords } from "./line-records.ts";
import type { Line } from "./lines.ts";
import { lineObject } from "./read-lines.ts";

/** The format is chosen by at most this many lines and characters from the beginning. */
const HEAD_LINES = 50;
const HEAD_CHARS = 4_000_000;

/** The beginning of a file, by which its format is chosen. */
export interface RecordingHead {
  /** The lines that have been read. Those by which the format is chosen are parsed. */
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

/** Reads the beginning of a file. */
export async function readHead(batches: AsyncGenerator<readonly Line[]>): Promise<RecordingHead> {
  const lines: Line[] = [];
  let isComplete = false;
  let failure: RecordingHead["failure"];
  try {
    while (!isComplete && headLength(lines) === undefined) {
      const { value, done } = await batches.next();
      if (done) isComplete = true;
      else for (const line of value) lines.push(line);
    }
  } catch (error) {
    isComplete = true;
    failure = { error };
  }
  const length = headLength(lines) ?? lines.length;
  const head = lines.slice(0, length).map(parsedLine);
  return {
    lines: [...head, ...lines.slice(length)],
    isComplete,
    ...formOf(head, isComplete),
    ...(failure === undefined ? {} : { failure }),
  };
}

/** The number of lines by which the format is chosen; undefined if there may be too few. */
function headLength(lines: readonly Line[]): number | undefined {
  let chars = 0;
  for (const [index, line] of lines.entries()) {
    chars += line.type === "line" ? line.text.length : 0;
    if (index + 1 === HEAD_LINES || chars >= HEAD_CHARS) return index + 1;
  }
  return undefined;
}

function parsedLine(line: Line): Line {
  return line.type === "line" && line.text.trim() !== "" ? { ...line, parsed: parseJson(line.text) } : line;
}

/** Which kind of file begins with these lines. */
function formOf(
  head: readonly Line[],
  isComplete: boolean,
): Pick<RecordingHead, "objects" | "isDocument" | "isIndented"> {
  const filled = head.flatMap((line) => (line.type === "line" && line.parsed ? [[line, line.parsed] as const] : []));
  const objects = filled
    .flatMap(([line]) => lineRecords(line).records.map(({ value }) => lineObject(value)))
    .filter((object) => object !== undefined);
  const [{ text = "" } = {}, first] = filled[0] ?? [];
  if (first?.ok === false) {
    const isBroken = /^\s*[[{]\s*(?:"[^"]*"\s*:.{0,200})?$/s.test(text);
    const isIndented = /^\s*(?:\{\s*$|\[)/.test(text);
    return { objects, isDocument: isBroken || isIndented, isIndented };
  }
  const isOnlyValue = isComplete && filled.length === 1 && first !== undefined;
  return { objects, isDocument: isOnlyValue && !isRunLine(first.value), isIndented: false };
}

function isRunLine(value: unknown): boolean {
  return isObject(value) && "steps" in value;
}
