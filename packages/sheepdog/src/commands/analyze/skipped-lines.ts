import type { Skipped } from "@sheepdog/records";
import { plainText } from "../../render/terminal/plain-text.ts";

const SHOWN = 10;

/** What was skipped, for people: the first of `count`, each with its place and the reason. */
export function skippedLines(skipped: readonly Skipped[], count: number): string[] {
  if (skipped.length === 0) return [];
  const shown = skipped
    .slice(0, SHOWN)
    .map(({ file, line, why }) => `  ${plainText(file)}${line === 0 ? "" : `:${line}`}: ${plainText(why)}`);
  return ["Skipped:", ...shown, ...(count > shown.length ? [`  and ${count - shown.length} more`] : [])];
}

/** What was skipped inside of files; whole files are told of as they come up. */
export function skippedInside(skipped: readonly Skipped[], count: number): string[] {
  const inside = skipped.filter((each) => each.line > 0);
  return skippedLines(inside, count - (skipped.length - inside.length));
}
