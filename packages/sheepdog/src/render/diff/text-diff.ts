import { visibleLines } from "../terminal/visible-lines.ts";
import { type DiffLine, note } from "./diff-line.ts";

/** A text before and after a change. `line` is the number of its first line. */
export interface TextChange {
  readonly before: string;
  readonly after: string;
  readonly line: number;
}

const CONTEXT_LINES = 3;
/** Added and removed lines. A larger change is shown as all old and all new lines: to compare them takes too long. */
const MAX_EDITS = 4_000;
const MAX_COMPARING_MS = 300;

/** The change as a unified diff, with nothing hidden. Loads the library for comparing texts. */
export async function textDiff({ before, after, line }: TextChange): Promise<readonly DiffLine[]> {
  if (before === after) return [note("no change")];
  const { structuredPatch } = await import("diff");
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS, timeout: MAX_COMPARING_MS };
  const texts = withLineEnds(before, after);
  const patch = structuredPatch("", "", texts.before, texts.after, undefined, undefined, options);
  if (patch === undefined) return [...signed("-", before), ...signed("+", after)];
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    note(`@@ -${range(oldStart, oldLines, line)} +${range(newStart, newLines, line)} @@`),
    ...lines.map(diffLine),
  ]);
}

/** An empty range starts before the first line, as in a patch. */
function range(start: number, lines: number, firstLine: number): string {
  return `${start + firstLine - 1 - (lines === 0 ? 1 : 0)},${lines}`;
}

/** A missing line end is worth a note only where it changes. */
function withLineEnds(before: string, after: string): Pick<TextChange, "before" | "after"> {
  if (before === "") return { before, after: after.endsWith("\n") ? after : `${after}\n` };
  const isMissing = !before.endsWith("\n") && !after.endsWith("\n") && after !== "";
  return isMissing ? { before: `${before}\n`, after: `${after}\n` } : { before, after };
}

/** A line of the library: its first character is its sign. */
function diffLine(line: string): DiffLine {
  const [sign, text] = [line.slice(0, 1), visibleLines(line.slice(1)).join("")];
  if (sign === "+" || sign === "-" || sign === " ") return { sign, text };
  return note("no line end at the end of the file");
}

/** All lines of a text with the same sign. */
export function signed(sign: "+" | "-", text: string): readonly DiffLine[] {
  return text === "" ? [] : visibleLines(text.replace(/\n$/, "")).map((line): DiffLine => ({ sign, text: line }));
}
