import type { RecordedRun } from "../../packages/records/dist/index.js";
import { ablations } from "./ablations.ts";
import type { Coverage } from "./coverage.ts";
import { folder, labelledRuns, unlabelledRuns } from "./data.ts";
import { developmentRows } from "./development.ts";
import { foldsOf } from "./folds.ts";
import { guardianDetail } from "./guardian-detail.ts";
import { readOptions, type Shown } from "./options.ts";
import { type PreparedRun, prepareRun } from "./prepared-run.ts";
import { agreements } from "./real/index.ts";
import { type Report, save } from "./report.ts";
import { asTables } from "./report-tables.ts";
import { type Grade, gradeOf } from "./score.ts";
import { systemRows } from "./systems.ts";
import { transcriptOf } from "./transcript.ts";
import { inspectUnlabelled } from "./unlabelled.ts";

const options = readOptions(process.argv.slice(2));
const { runs: labelled, coverage, different } = labelledRuns();
if (different.length > 0) {
  console.error(`bench: expected the runs that were labelled in ${folder}. These differ:\n${different.join("\n")}`);
  process.exitCode = 1;
} else if (options.run !== undefined) printRun(options.run);
else if (options.showCount > 0) inspectUnlabelled(options.showCount);
else if (labelled.length === 0)
  console.log(
    `Nothing was measured: there is no run of the ${coverage.labels} labels in ${folder}. ` +
      "Make the runs with npm run bench:rebuild, and set SHEEPDOG_DATA to their folder.",
  );
else if (options.show !== undefined) printRuns(labelled.map(prepareRun), options.show);
else await measure(labelled.map(prepareRun), coverage);

async function measure(runs: readonly PreparedRun[], measured: Coverage): Promise<void> {
  console.error(`bench: measuring ${runs.length} runs, which takes a few minutes`);
  const systems = systemRows(runs);
  const report: Report = {
    benchmark: "detection",
    date: process.env["BENCH_DATE"] ?? new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    method:
      "The first reaction counts: right from the onset until one call past the end, " +
      "false before the onset or in a clean run, a miss later or never.",
    coverage: measured,
    runs: {
      stuck: runs.filter(({ label }) => label.verdict === "stuck").length,
      clean: runs.filter(({ label }) => label.verdict === "clean").length,
    },
    systems,
    development: developmentRows(runs),
    agreements: await agreements(runs.map(({ flat }) => flat)),
    guardian: guardianDetail(runs),
    leaveOneSourceOut: foldsOf(runs),
    ablations: ablations(runs, systems[0]?.score.f1 ?? null),
    unlabelled: (options.isUnlabelled ? inspectUnlabelled(0) : undefined) ?? null,
  };
  process.stdout.write(asTables(report));
  save(report);
  console.log(`\nMeasured in ${Math.round(performance.now() / 1000)} s.`);
}

function printRuns(runs: readonly PreparedRun[], show: Shown): void {
  const shownGrades = {
    misses: ["missed", "late"],
    "false-alarms": ["false-alarm"],
    early: ["early"],
  } as const satisfies Record<Shown, readonly Grade[]>;
  const shownRuns = runs.filter((run) => shownGrades[show].some((grade) => grade === gradeOf(run)));
  for (const { run, label } of shownRuns) console.log(transcriptOf(run, label));
  console.log(`${shownRuns.length} ${show}`);
}

function printRun(id: string): void {
  const labelledRun = labelled.find(({ run }) => run.id === id);
  const run = labelledRun?.run ?? unlabelledRun(id);
  if (run === undefined) throw new Error(`Expected the id of a recorded run; got ${id}.`);
  console.log(transcriptOf(run, labelledRun?.label));
}

function unlabelledRun(id: string): RecordedRun | undefined {
  for (const run of unlabelledRuns()) if (run.id === id) return run;
  return undefined;
}
