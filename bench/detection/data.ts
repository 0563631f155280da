import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { parseRun, type RecordedRun } from "../../packages/records/dist/index.js";
import { type FlatRun, flatten } from "./flat-run.ts";
import { type Label, parseLabels } from "./labels.ts";

/** A run with what people read in it. */
export interface Labelled {
  readonly run: RecordedRun;
  readonly flat: FlatRun;
  readonly label: Label;
}

/** The folder of recordings. */
export const folder: string =
  process.env["SHEEPDOG_DATA"] ?? fileURLToPath(new URL("../../../shared/data", import.meta.url));

/** The labelled runs people could decide on; undefined where there are none on this machine. */
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

/** The unlabelled runs, a file at a time. */
export function* unlabelledRuns(): Generator<RecordedRun> {
  const below = join(folder, "unlabelled");
  if (!existsSync(below)) return;
  for (const file of readdirSync(below).sort()) if (file.endsWith(".jsonl.gz")) yield* runsOf(join(below, file));
}

/** The source of a run, as far as it is recorded. */
export function sourceOf(run: RecordedRun): string {
  return run.source ?? "unknown source";
}

function runsOf(file: string): readonly RecordedRun[] {
  const lines = gunzipSync(readFileSync(file)).toString().split("\n");
  return lines.flatMap((line, place) => {
    if (line.trim() === "") return [];
    const parsed = parseRun(line, `line ${place + 1}`);
    if (!parsed.ok) throw new Error(`Expected a run in line ${place + 1} of ${file}: ${parsed.why}`);
    return [parsed.run];
  });
}
