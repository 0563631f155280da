import { closeSync, fstatSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { openRegularFile } from "@sheepdog/records/files";

/** Bytes that were read of each file, by its path. */
export type ReadBytes = Readonly<Record<string, number>>;

/** A hook reads at most this much; the next one continues. */
const MAX_BYTES = 8_000_000;
const NEWLINE = 10;

/** The lines that were appended to a recording and to those of its subagents. A last line without an end waits. */
export function appendedLines(
  recording: string,
  bytes: ReadBytes,
): { readonly lines: readonly string[]; readonly bytes: ReadBytes } {
  const lines: string[] = [];
  const read: Record<string, number> = { ...bytes };
  for (const file of [recording, ...subagentFiles(recording)]) {
    const appended = readAppended(file, bytes[file] ?? 0);
    if (appended === undefined) continue;
    lines.push(...appended.lines);
    read[file] = appended.end;
  }
  return { lines, bytes: read };
}

/** Claude Code records the subagents of `<session>.jsonl` in a folder of the same name. */
function subagentFiles(recording: string): readonly string[] {
  if (!recording.endsWith(".jsonl")) return [];
  const folder = join(recording.slice(0, -".jsonl".length), "subagents");
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
    return names.map((name) => join(folder, name));
  } catch {
    return []; // it has no subagents
  }
}

const MAX_LINE_BYTES = 65_536;

/** The first line of a recording; empty if it cannot be read. */
export function firstLine(file: string | undefined): string {
  if (file === undefined) return "";
  try {
    const descriptor = openRegularFile(file);
    try {
      const bytes = Buffer.alloc(MAX_LINE_BYTES);
      const text = bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, MAX_LINE_BYTES, 0));
      return text.split("\n", 1)[0] ?? "";
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return "";
  }
}

interface Appended {
  readonly lines: readonly string[];
  /** Where the next line begins. */
  readonly end: number;
}

/** Undefined if the file cannot be read: agents record later than they call hooks. */
function readAppended(file: string, start: number): Appended | undefined {
  let descriptor: number;
  try {
    descriptor = openRegularFile(file);
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(descriptor);
    const begin = size < start ? 0 : start; // it was written anew
    const buffer = Buffer.allocUnsafe(Math.min(size - begin, MAX_BYTES));
    const length = readSync(descriptor, buffer, 0, buffer.length, begin);
    const chunk = buffer.subarray(0, length);
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) return { lines: [], end: length === MAX_BYTES ? begin + length : begin };
    return { lines: chunk.toString("utf8", 0, end).split("\n"), end: begin + end };
  } finally {
    closeSync(descriptor);
  }
}
