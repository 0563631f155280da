/** How a call changed a text file: the lines that differ, with up to three equal lines before and after them. */
export interface FileChange {
  /** Relative to the workspace. */
  readonly path: string;
  /** The number of the first line of `before` and `after`, from 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** Bytes. The change of a larger file is not described. */
export const maxDescribedBytes = 1_000_000;
/** UTF-16 units of `before` and `after` together. A longer change is not described. */
const MAX_CHARS = 64_000;
const CONTEXT_LINES = 3;

/** The details of a successful change, for the user interface; undefined for binary data and for large changes. */
export function fileChange(
  path: string,
  oldData: Buffer,
  newData: Buffer,
): { readonly change: FileChange } | undefined {
  if (oldData.length > maxDescribedBytes || newData.length > maxDescribedBytes) return undefined;
  if (oldData.includes(0) || newData.includes(0)) return undefined;
  const [oldLines, newLines] = [linesOf(oldData), linesOf(newData)];
  const shorter = Math.min(oldLines.length, newLines.length);
  let head = 0;
  while (head < shorter && oldLines[head] === newLines[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail += 1;
  const first = Math.max(0, head - CONTEXT_LINES);
  const equalAtEnd = Math.max(0, tail - CONTEXT_LINES);
  const textOf = (lines: readonly string[]) => lines.slice(first, lines.length - equalAtEnd).join("");
  const [before, after] = [textOf(oldLines), textOf(newLines)];
  if (before.length + after.length > MAX_CHARS) return undefined;
  return { change: { path, line: first + 1, before, after } };
}

/** Lines with their line ends. */
function linesOf(data: Buffer): string[] {
  return data.toString("utf8").match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
