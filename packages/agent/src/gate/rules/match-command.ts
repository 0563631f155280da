import { basename } from "node:path";
import type { ShellArg } from "../command/shell-arg.ts";
import { matchesGlob } from "./glob.ts";

/**
 * Whether a simple command matches a pattern. `surely`: whatever its unknown arguments turn out to be, as an `allow`
 * needs it. `possibly`: unknown arguments may be anything, and the program may have a folder.
 */
export function matchesCommand(pattern: string, words: readonly ShellArg[], how: "surely" | "possibly"): boolean {
  const globs = pattern.trim().split(/\s+/);
  const takesRest = globs.length > 1 && globs.at(-1) === "*";
  const end = takesRest ? globs.length - 1 : globs.length;
  let positions: ReadonlySet<number> = new Set([0]);
  for (const [at, word] of words.entries()) {
    const next = new Set<number>();
    for (const position of positions) {
      if (position === end) {
        if (takesRest) next.add(end);
      } else for (const reached of advance(globs, position, { word, isProgram: at === 0, end, how })) next.add(reached);
    }
    positions = next;
  }
  return positions.has(end);
}

interface Step {
  readonly word: ShellArg;
  readonly isProgram: boolean;
  readonly end: number;
  readonly how: "surely" | "possibly";
}

/** The positions in the pattern after a word. */
function advance(globs: readonly string[], position: number, { word, isProgram, end, how }: Step): readonly number[] {
  const glob = globs[position] ?? "";
  if (word.type === "plain") {
    const leadsUp = how === "surely" && glob.includes("*") && /(?:^|\/)\.\.(?:\/|$)/.test(word.value);
    if (leadsUp && glob !== "*") return [];
    const isMatch =
      matchesGlob(glob, word.value) || (isProgram && how === "possibly" && matchesGlob(glob, basename(word.value)));
    return isMatch ? [position + 1] : [];
  }
  if (how === "surely") return [];
  const isOneWord = word.type === "home" || (word.type === "dynamic" && word.isQuoted);
  return isOneWord ? [position + 1] : Array.from({ length: end - position + 1 }, (_, skipped) => position + skipped);
}
