import type { Skipped } from "@sheepdog/records";
import { counted } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";

const MAX_SHOWN = 10;

/**
 * Lists the first files with skipped lines: one sentence for each, about its first skipped line. `count` is the number
 * of all skipped lines and files.
 */
export function skippedLines(skipped: readonly Skipped[], count: number): string[] {
  if (skipped.length === 0) return [];
  const files = [...new Set(skipped.map(({ file }) => file))];
  const shown = files.slice(0, MAX_SHOWN).map((file) => fileSentence(skipped.filter((each) => each.file === file)));
  const shownFiles = new Set(files.slice(0, MAX_SHOWN));
  const more = count - skipped.filter(({ file }) => shownFiles.has(file)).length;
  return ["Skipped:", ...shown, ...(more > 0 ? [`  and ${more} more`] : [])];
}

function fileSentence([first, ...others]: readonly Skipped[]): string {
  if (first === undefined) return "";
  const position = `${plainText(first.file)}${first.line === 0 ? "" : `:${first.line}`}`;
  const more = others.length === 0 ? "" : `, and ${counted(others.length, "more line")}`;
  return `  ${position}: ${plainText(first.why)}${more}`;
}

/** The same without whole files, which are reported when they come up. */
export function skippedInside(skipped: readonly Skipped[], count: number): string[] {
  const inside = skipped.filter(({ line }) => line > 0);
  return skippedLines(inside, count - (skipped.length - inside.length));
}
