import type { Skipped } from "@sheepdog/records";
import { plainText } from "../../render/terminal/plain-text.ts";

const MAX_SHOWN = 10;

/** Lists the first skipped lines and files with their position and the reason. `count` is the number of all. */
export function skippedLines(skipped: readonly Skipped[], count: number): string[] {
  if (skipped.length === 0) return [];
  const shown = skipped
    .slice(0, MAX_SHOWN)
    .map(({ file, line, why }) => `  ${plainText(file)}${line === 0 ? "" : `:${line}`}: ${plainText(why)}`);
  return ["Skipped:", ...shown, ...(count > shown.length ? [`  and ${count - shown.length} more`] : [])];
}

/** The same without whole files, which are reported when they come up. */
export function skippedInside(skipped: readonly Skipped[], count: number): string[] {
  const inside = skipped.filter(({ line }) => line > 0);
  return skippedLines(inside, count - (skipped.length - inside.length));
}
