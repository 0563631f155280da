import { table } from "../table.ts";
import type { SourceResult } from "./rebuild-source.ts";
import type { Source } from "./source.ts";

/** The table of a rebuild and, below it, what to do about each source that is not complete. */
export function summary(results: readonly SourceResult[]): string {
  const head = ["source", "labels", "rebuilt", "hash differs", "not found"];
  const rows = results.map((result) => [result.source.name, ...counts(result).map(String)]);
  const sums = results.map(counts).reduce((sum, next) => sum.map((count, column) => count + (next[column] ?? 0)));
  const total = ["all", ...sums.map(String)];
  return [table([head, ...rows, total]), ...results.flatMap(notes)].join("\n");
}

/** Whether every run was rebuilt. */
export function isComplete(results: readonly SourceResult[]): boolean {
  return results.every(({ different, notFound }) => different.length === 0 && notFound.length === 0);
}

function counts({ rebuilt, different, notFound }: SourceResult): readonly number[] {
  const found = [rebuilt.length, different.length, notFound.length];
  return [found.reduce((sum, count) => sum + count), ...found];
}

function notes({ source, clone, different, notFound, failure }: SourceResult): readonly string[] {
  const lines: string[] = [];
  if (clone === "absent") lines.push("there is no clone. In the folder of the clones, run:", ...cloneCommands(source));
  if (clone === "at another commit") lines.push(`the clone has no commit ${source.commit}; its HEAD was read.`);
  if (failure !== undefined) lines.push(`reading stopped: ${failure}`);
  if (different.length > 0) lines.push(`other content than labelled: ${firstFew(different)}`);
  if (clone !== "absent" && notFound.length > 0) {
    lines.push(`not found: ${firstFew(notFound)}`);
    if (source.furtherRefs !== undefined) lines.push("Some are in pull requests. Run:", fetchCommand(source));
  }
  return lines.map((line, index) => (index === 0 ? `\n${source.name}: ${line}` : `  ${line}`));
}

/** The commands that make the clone. */
function cloneCommands(source: Source): readonly string[] {
  const clone = `git clone --no-checkout https://github.com/${source.repository} ${cloneFolder(source)}`;
  return source.furtherRefs === undefined ? [clone] : [clone, fetchCommand(source)];
}

function fetchCommand(source: Source): string {
  const refs = (source.furtherRefs ?? []).map((ref) => `${ref}:${ref}`);
  return `git -C ${cloneFolder(source)} fetch origin ${refs.join(" ")}`;
}

function cloneFolder({ repository }: Source): string {
  return repository.replace("/", "+");
}

function firstFew(runIds: readonly string[]): string {
  const few = runIds.slice(0, 3).join(", ");
  return runIds.length > 3 ? `${few} and ${runIds.length - 3} more` : few;
}
