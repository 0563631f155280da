import { type Options, readOptions } from "./options.ts";
import { rebuildSource, type SourceResult } from "./rebuild-source.ts";
import { createRunFile } from "./run-file.ts";
import { sources } from "./sources.ts";
import { isComplete, summary } from "./summary.ts";
import { readWantedRuns } from "./wanted-runs.ts";

const workingFolder = process.env["INIT_CWD"] ?? process.cwd(); // npm starts a script in the folder of its package
process.exitCode = await main(process.argv.slice(2));

async function main(flags: readonly string[]): Promise<number> {
  try {
    const sourceNames = sources.map(({ name }) => name);
    return await rebuild(readOptions(flags, sourceNames, workingFolder));
  } catch (error) {
    console.error(`rebuild: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

/** Rebuilds the runs and prints the table. Returns the exit code. */
async function rebuild({ clones, out, source: onlySource }: Options): Promise<number> {
  const wantedRuns = readWantedRuns();
  const file = createRunFile(out);
  const results: SourceResult[] = [];
  for (const source of sources) {
    if (onlySource !== undefined && source.name !== onlySource) continue;
    results.push(await rebuildSource(source, wantedRuns, { clones, write: file.write }));
  }
  const path = await file.close();
  const saved = path === undefined ? "No run was rebuilt, so no file was written." : `The rebuilt runs are in ${path}.`;
  console.log(`${summary(results)}\n\n${saved}`);
  return isComplete(results) ? 0 : 1;
}
