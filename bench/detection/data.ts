import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { parseRun, type RecordedRun } from "../../packages/records/dist/index.js";
import { type Coverage, coverageOf } from "./coverage.ts";
import { type FlatRun, flatten } from "./flat-run.ts";
import { type Label, parseLabels } from "./labels.ts";
import { matchRuns } from "./match-runs.ts";

/** A run with its label. */
export interface Labelled {
  readonly run: RecordedRun;
  readonly source: string;
  readonly flat: FlatRun;
  readonly label: Label;
}

/** The runs labelled as stuck or clean, how many labels have a run, and the runs that are not those labelled. */
export interface LabelledRuns {
  readonly runs: readonly Labelled[];
  readonly coverage: Coverage;
  readonly different: readonly string[];
}

/** The folder of recordings. */
export const folder: string =
  process.env["SHEEPDOG_DATA"] ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));

/** Reads every `labelled-runs*.jsonl.gz` of the folder. */
export function labelledRuns(): LabelledRuns {
  const entries = parseLabels(readFileSync(new URL("labels/labels.jsonl", import.meta.url), "utf8"));
  const { lines, different } = matchRuns(
    filesIn(folder, /^labelled-runs.*\.jsonl\.gz$/).flatMap((file) => linesOf(file)),
    entries,
  );
  const runs = [...lines].flatMap(([{ source, label }, line]): readonly Labelled[] => {
    const run = toRun(line, folder);
    return label === undefined ? [] : [{ run, source, flat: flatten(run), label }];
  });
  const keys = new Set([...lines.keys()].map(({ key }) => key));
  return { runs, coverage: coverageOf(entries.values(), (key) => keys.has(key)), different };
}

/** The unlabelled runs, one file at a time. */
export function* unlabelledRuns(): Generator<RecordedRun> {
  for (const file of filesIn(join(folder, "unlabelled"), /\.jsonl\.gz$/))
    for (const line of linesOf(file)) yield toRun(line, file);
}

/** The source of a run. */
export function sourceOf(run: RecordedRun): string {
  return run.source ?? "unknown source";
}

function filesIn(parent: string, name: RegExp): readonly string[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .filter((file) => name.test(file))
    .sort()
    .map((file) => join(parent, file));
}

function linesOf(file: string): readonly string[] {
  return gunzipSync(readFileSync(file))
    .toString()
    .split("\n")
    .filter((line) => line.trim() !== "");
}

function toRun(line: string, place: string): RecordedRun {
  const parsed = parseRun(line, place);
  if (!parsed.ok) throw new Error(`Expected a run in ${place}: ${parsed.why}`);
  return parsed.run;
}
