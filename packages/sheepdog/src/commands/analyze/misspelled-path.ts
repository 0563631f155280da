import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { closestName } from "@sheepdog/guardian";
import type { AnalyzeOptions } from "./analyze-options.ts";
import { explanations } from "./chosen-explanation.ts";

const subcommands = ["sweep"] as const;

/** A sentence about a word that is no file, and probably a misspelled explanation or subcommand. */
export function misspelledPath(
  paths: readonly string[],
  { explain }: Pick<AnalyzeOptions, "explain">,
  cwd: string,
): string | undefined {
  const [word] = paths.filter((path) => /^[a-z]+$/i.test(path) && !existsSync(resolve(cwd, path)));
  if (word === undefined) return undefined;
  if (explain === "findings") {
    const near = closestName(word, explanations);
    const hint = near === undefined ? "" : `; did you mean ${near}?`;
    const names = explanations.join(" or ");
    return `--explain ${word}: it must be ${names}, or a recording, and there is no file ${word}${hint}`;
  }
  const near = closestName(word, subcommands);
  return near === undefined ? undefined : `there is no file ${word}; did you mean: analyze ${near}?`;
}
