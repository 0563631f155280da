import type { RecordedRun } from "../../packages/records/dist/index.js";
import { ablations } from "./ablations.ts";
import { labelledRuns, unlabelledRuns } from "./data.ts";
import { leaveOneSourceOut } from "./folds.ts";
import { guardianDetail } from "./guardian-detail.ts";
import { readOptions, type Shown } from "./options.ts";
import { judgedByGuardian, type PreparedRun, prepareRun, rowsOf } from "./prepared-run.ts";
import { agreements } from "./real/index.ts";
import { asTables, type Report, save } from "./report.ts";
import { type Grade, gradeOf } from "./score.ts";
import { transcriptOf } from "./transcript.ts";
import { inspectUnlabelled } from "./unlabelled.ts";

const options = readOptions(process.argv.slice(2));
const labelled = labelledRuns();
if (labelled === undefined)
  console.log(
    "Nothing was measured: there are no labelled runs here. " +
      "Put labelled-runs.jsonl.gz and labels.jsonl into a folder and set SHEEPDOG_DATA to it.",
  );
else if (options.run !== undefined) printRun(options.run);
else if (options.show !== undefined) printRuns(labelled.map(prepareRun), options.show);
else if (options.showCount > 0) inspectUnlabelled(options.showCount);
else await measure(labelled.map(prepareRun));

async function measure(runs: readonly PreparedRun[]): Promise<void> {
  const systems = rowsOf(runs);
  const report: Report = {
    benchmark: "detection",
    date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    method:
      "The first reaction counts: right from the onset until one call past the end, " +
      "false before the onset or in a clean run, a miss later or never.",
    runs: {
      stuck: runs.filter(({ label }) => label.verdict === "stuck").length,
      clean: runs.filter(({ label }) => label.verdict === "clean").length,
    },
    systems,
    agreements: await agreements(runs.map(({ flat }) => flat)),
    guardian: guardianDetail(runs),
    leaveOneSourceOut: leaveOneSourceOut(runs),
    ablations: ablations(runs, systems[0]?.score.f1 ?? null),
    unlabelled: (options.isUnlabelled ? inspectUnlabelled(0) : undefined) ?? null,
  };
  process.stdout.write(asTables(report));
  save(report);
}

function printRuns(runs: readonly PreparedRun[], show: Shown): void {
  const shownGrades = {
    misses: ["missed", "late"],
    "false-alarms": ["false-alarm"],
    early: ["early"],
  } as const satisfies Record<Shown, readonly Grade[]>;
  const shownRuns = runs.filter((run) => shownGrades[show].some((grade) => grade === gradeOf(judgedByGuardian(run))));
  for (const { run, label } of shownRuns) console.log(transcriptOf(run, label));
  console.log(`${shownRuns.length} ${show}`);
}

function printRun(id: string): void {
  const labelledRun = labelled?.find(({ run }) => run.id === id);
  const run = labelledRun?.run ?? unlabelledRun(id);
  if (run === undefined) throw new Error(`Expected the id of a recorded run; got ${id}.`);
  console.log(transcriptOf(run, labelledRun?.label));
}

function unlabelledRun(id: string): RecordedRun | undefined {
  for (const run of unlabelledRuns()) if (run.id === id) return run;
  return undefined;
}
