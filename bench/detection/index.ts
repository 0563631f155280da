import type { RecordedRun } from "../../packages/records/dist/index.js";
import { ablations } from "./ablations.ts";
import { judged, type Prepared, prepared, rowsOf } from "./contestants.ts";
import { labelledRuns, unlabelledRuns } from "./data.ts";
import { leaveOneSourceOut } from "./folds.ts";
import { guardianDetail } from "./guardian-detail.ts";
import { optionsOf, type Shown } from "./options.ts";
import { pictureOf } from "./picture.ts";
import { agreements } from "./real/index.ts";
import { asTables, type Report, save } from "./report.ts";
import { type Verdict, verdictOf } from "./score.ts";
import { watchUnlabelled } from "./unlabelled.ts";

const options = optionsOf(process.argv.slice(2));
const labelled = labelledRuns();
if (labelled === undefined)
  console.log(
    "No labelled runs here: expected labelled-runs.jsonl.gz and labels.jsonl in the folder SHEEPDOG_DATA. Nothing was measured.",
  );
else if (options.run !== undefined) printRun(options.run);
else if (options.show !== undefined) printRuns(labelled.map(prepared), options.show);
else if (options.showCount > 0) watchUnlabelled(options.showCount);
else await measure(labelled.map(prepared));

async function measure(runs: readonly Prepared[]): Promise<void> {
  const systems = rowsOf(runs);
  const report: Report = {
    benchmark: "detection",
    date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    method:
      "The first reaction counts: right from the onset until one call past the end, false before it or in a clean run, a miss later or never.",
    runs: {
      stuck: runs.filter(({ label }) => label.verdict === "stuck").length,
      clean: runs.filter(({ label }) => label.verdict === "clean").length,
    },
    systems,
    agreements: await agreements(runs.map(({ flat }) => flat)),
    guardian: guardianDetail(runs),
    leaveOneSourceOut: leaveOneSourceOut(runs),
    ablations: ablations(runs, systems[0]?.score.f1 ?? null),
    unlabelled: (options.isUnlabelled ? watchUnlabelled(0) : undefined) ?? null,
  };
  process.stdout.write(asTables(report));
  save(report);
}

function printRuns(runs: readonly Prepared[], show: Shown): void {
  const wanted = {
    misses: ["missed", "late"],
    "false-alarms": ["false-alarm"],
    early: ["early"],
  } as const satisfies Record<Shown, readonly Verdict[]>;
  const found = runs.filter((run) => wanted[show].some((verdict) => verdict === verdictOf(judged(run))));
  for (const { run, label } of found) console.log(pictureOf(run, label));
  console.log(`${found.length} ${show}`);
}

function printRun(id: string): void {
  const known = labelled?.find(({ run }) => run.id === id);
  const run = known?.run ?? unlabelledRun(id);
  if (run === undefined) throw new Error(`Expected the id of a recorded run; got ${id}.`);
  console.log(pictureOf(run, known?.label));
}

function unlabelledRun(id: string): RecordedRun | undefined {
  for (const run of unlabelledRuns()) if (run.id === id) return run;
  return undefined;
}
