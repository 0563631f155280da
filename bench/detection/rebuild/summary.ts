import { table } from "../table.ts";
import { cloneCommands, fetchCommands } from "./clone-commands.ts";
import type { SourceResult } from "./rebuild-source.ts";

/** The table of a rebuild, what is wrong with each source that is not complete, and the commands for absent clones. */
export function summary(results: readonly SourceResult[]): string {
  const head = ["source", "labels", "rebuilt", "hash differs", "not found"];
  const rows = results.map((result) => [result.source.name, ...counts(result)]);
  const sums = head
    .slice(1)
    .map((_, column) => results.reduce((sum, result) => sum + (counts(result)[column] ?? 0), 0));
  const lines = [head, ...rows, ["all", ...sums]].map((line) => line.map(String));
  return [table(lines), ...results.flatMap(problems), ...absentClones(results)].join("\n");
}

/** Whether every run was rebuilt. */
export function isComplete(results: readonly SourceResult[]): boolean {
  return results.every(({ different, notFound }) => different.length === 0 && notFound.length === 0);
}

function counts({ rebuilt, different, notFound }: SourceResult): readonly number[] {
  const labels = rebuilt.length + different.length + notFound.length;
  return [labels, rebuilt.length, different.length, notFound.length];
}

function problems({ source, clone, gitDirectory, different, notFound, failure }: SourceResult): readonly string[] {
  if (gitDirectory === undefined) return [];
  const lines: string[] = [];
  if (clone === "at another commit") lines.push(`the clone has no commit ${source.commit}; its HEAD was read.`);
  if (failure !== undefined) lines.push(`reading stopped: ${failure}`);
  if (different.length > 0) lines.push(`other content than labelled: ${firstFew(different)}`);
  if (notFound.length > 0) lines.push(`not found: ${firstFew(notFound)}`);
  const fetches = notFound.length > 0 ? fetchCommands(source, gitDirectory) : [];
  if (fetches.length > 0) lines.push("some runs are in pull requests. Run:", ...fetches);
  return lines.map((line, index) => (index === 0 ? `\n${source.name}: ${line}` : `  ${line}`));
}

/** Two sources may need the same clone. */
function absentClones(results: readonly SourceResult[]): readonly string[] {
  const absent = results.filter(({ clone }) => clone === "absent");
  const commands = new Set(absent.flatMap(({ source }) => cloneCommands(source)));
  if (commands.size === 0) return [];
  const names = absent.map(({ source }) => source.name).join(", ");
  return [`\nThere is no clone for ${names}. In the folder of the clones, run:`, ...commands];
}

function firstFew(runIds: readonly string[]): string {
  const few = runIds.slice(0, 3).join(", ");
  return runIds.length > 3 ? `${few} and ${runIds.length - 3} more` : few;
}
