import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { parseRun, type RecordedRun } from "../../packages/records/dist/index.js";
import { type FlatRun, flatten } from "./flat-run.ts";
import { type Label, parseLabels } from "./labels.ts";

/** A run with its label. */
export interface Labelled {
  readonly run: RecordedRun;
  readonly flat: FlatRun;
  readonly label: Label;
}

/** The folder of recordings. */
export const folder: string =
  process.env["SHEEPDOG_DATA"] ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));

/** The runs labelled as stuck or clean; undefined when there are none on this machine. */
export function labelledRuns(): readonly Labelled[] | undefined {
  const runs = join(folder, "labelled-runs.jsonl.gz");
  const labels = join(folder, "labels.jsonl");
  if (!existsSync(runs) || !existsSync(labels)) return undefined;
  const labelOf = parseLabels(readFileSync(labels, "utf8"));
  return runsOf(runs).flatMap((run): readonly Labelled[] => {
    const label = labelOf.get(run.id);
    return label === undefined ? [] : [{ run, flat: flatten(run), label }];
  });
}

/** The unlabelled runs, one file at a time. */
export function* unlabelledRuns(): Generator<RecordedRun> {
  const unlabelled = join(folder, "unlabelled");
  if (!existsSync(unlabelled)) return;
  for (const file of readdirSync(unlabelled).sort())
    if (file.endsWith(".jsonl.gz")) yield* runsOf(join(unlabelled, file));
}

/** The source of a run. */
export function sourceOf(run: RecordedRun): string {
  return run.source ?? "unknown source";
}

function runsOf(file: string): readonly RecordedRun[] {
  const lines = gunzipSync(readFileSync(file)).toString().split("\n");
  return lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const parsed = parseRun(line, `line ${index + 1}`);
    if (!parsed.ok) throw new Error(`Expected a run in line ${index + 1} of ${file}: ${parsed.why}`);
    return [parsed.run];
  });
}
