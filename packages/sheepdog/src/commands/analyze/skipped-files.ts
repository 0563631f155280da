import type { Skipped } from "@sheepdog/records";
import { type Io, write, writeMessage } from "../../io.ts";
import type { LookBack, Scan } from "../../look-back/look-back.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";

const MAX_SHOWN = 3;

/** Says on stderr what could not be read: one line a file, the first few of them unless `--skipped` is given. */
export async function writeSkipped(
  { scan }: Pick<LookBack, "scan">,
  { options, io }: { readonly options: { readonly skipped?: true; readonly json?: true }; readonly io: Io },
): Promise<void> {
  if (scan.skippedCount === 0) return;
  if (options.skipped || options.json) return; // each was printed when it came up, or is in the document
  for (const sentence of skippedFiles(scan)) await writeMessage(io, sentence);
}

/** Prints one file or line that could not be read, for `--skipped`. */
export async function writeSkippedLine(skipped: Skipped, io: Io): Promise<void> {
  await write(io.stderr, `${fileSentence([skipped])}\n`);
}

/** One sentence for each file, about its first skipped line; and one about the other files. */
function skippedFiles({ skipped, skippedCount }: Pick<Scan, "skipped" | "skippedCount">): readonly string[] {
  const byFile = new Map<string, readonly Skipped[]>();
  for (const each of skipped) byFile.set(each.file, [...(byFile.get(each.file) ?? []), each]);
  const shown = [...byFile.values()].slice(0, MAX_SHOWN);
  const more = skippedCount - linesOf(shown.flat());
  const others = more === 1 ? "1 more file or line" : `${more.toLocaleString("en-US")} more files or lines`;
  const rest = more > 0 ? [`${others} could not be read; see all with --skipped`] : [];
  return [...shown.map(fileSentence), ...rest];
}

function fileSentence(lines: readonly Skipped[]): string {
  const [first] = lines;
  if (first === undefined) return "";
  const more = linesOf(lines) - 1;
  const others = more === 0 ? "" : `, and ${counted(more, "more line")}`;
  return `${position(first.file, first.line)}: ${plainText(first.why)}${others}`;
}

function position(file: string, line: number): string {
  return `${plainText(file)}${line === 0 ? "" : `:${line}`}`;
}

function linesOf(skipped: readonly Skipped[]): number {
  return skipped.reduce((sum, { lines = 1 }) => sum + lines, 0);
}
