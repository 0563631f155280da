import { redactText } from "../config/redact-value.ts";
import type { Io } from "../io.ts";
import { type DiffLine, note } from "../render/diff/diff-line.ts";
import { diffText, paintOf } from "../render/diff/diff-paint.ts";
import { textDiff } from "../render/diff/text-diff.ts";
import { type Style, wrapColumnsOf } from "../render/terminal/style.ts";
import { diffRows } from "../render/timeline/diff-rows.ts";

/** A change of settings for the terminal: what is removed and added, with some lines around it. Secrets are masked. */
export async function settingsDiff(
  { before, after }: { readonly before: string | undefined; readonly after: string | undefined },
  style: Style,
  io: Io,
): Promise<string> {
  const lines: readonly DiffLine[] =
    before === after
      ? [note("no change")]
      : await textDiff({ before: withoutReturns(before), after: withoutReturns(after), line: 1 });
  const width = wrapColumnsOf(io.stdout, io.env);
  const rows = lines.flatMap((line) => diffRows({ ...line, text: redactText(line.text, io.env) }, width));
  return rows.map((row) => `${paintOf(row, style)(diffText(row))}\n`).join("");
}

/** Line ends are kept in the file, and say nothing here. */
function withoutReturns(text = ""): string {
  return text.replaceAll("\r\n", "\n");
}
