import type { Ablation } from "./ablations.ts";
import type { Coverage } from "./coverage.ts";
import type { DevelopmentRow } from "./development.ts";
import type { GuardianDetail } from "./guardian-detail.ts";
import type { Folds } from "./leave-one-out.ts";
import type { Rate } from "./rate.ts";
import type { Agreement } from "./real/index.ts";
import type { Report } from "./report.ts";
import type { Score } from "./score.ts";
import type { Row } from "./systems.ts";
import { figure, percent, signed, table } from "./table.ts";
import type { Share, Unlabelled } from "./unlabelled.ts";

/** The report as text tables. */
export function asTables(report: Report): string {
  const { runs, guardian } = report;
  return [
    coverageTable(report.coverage),
    `Detection on ${runs.stuck} stuck and ${runs.clean} clean runs. ${report.method}`,
    scores("system", report.systems),
    scores("sources", report.development.flatMap(developmentTableRows)),
    report.agreements.map(agreementLine).join("\n"),
    `The guardian here and \`analyze\` intervene first at another call in ${guardian.differsFromAnalyze} runs.`,
    scores("sheepdog by source", guardian.bySource),
    scores("sheepdog by kind of stuck", guardian.byKind),
    detectorTable(guardian),
    textLine(guardian),
    foldsTable(report.leaveOneSourceOut),
    ablationTable(report.ablations),
    ...(report.unlabelled === null ? [] : unlabelledTables(report.unlabelled)),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

/** How many labels have a run here, by source. */
function coverageTable({ labels, withRun, bySource }: Coverage): string {
  const cells = bySource.map((each) => [
    each.source,
    `${each.labels}`,
    `${each.withRun}`,
    `${each.stuck}`,
    `${each.clean}`,
    `${each.unclear}`,
  ]);
  return [
    `${withRun} of ${labels} labels have a run here.`,
    table([["source", "labels", "with a run", "stuck", "clean", "unclear"], ...cells]),
  ].join("\n\n");
}

function scores(heading: string, rows: readonly Row[]): string {
  const cells = rows.map(({ name, score }) => [name, `${score.runs}`, ...scoreCells(score)]);
  return table([[heading, "runs", ...scoreHeadings], ...cells]);
}

const scoreHeadings: readonly string[] = [
  "precision",
  "recall",
  "F1",
  "margin F1",
  "caught",
  "waste avoided",
  "latency",
  "hints, clean",
  "force, clean",
  "force, early",
];

function scoreCells(score: Score): readonly string[] {
  return [
    figure(score.precision),
    figure(score.recall),
    figure(score.f1, 3),
    figure(score.marginF1, 3),
    figure(score.caught),
    figure(score.wasteAvoided),
    figure(score.latency, 1),
    percent(score.hintsOnClean),
    percent(score.forceOnClean),
    percent(score.forceBeforeOnset),
  ];
}

function developmentTableRows({ sources, guardian, bestOther }: DevelopmentRow): readonly Row[] {
  return [guardian, bestOther].map(({ name, score }) => ({ name: `${sources}: ${name}`, score }));
}

function agreementLine({ code, rule, runs, disagreements, note }: Agreement): string {
  if (runs === null) return `${code} was not run: ${note}.`;
  return `${code} itself and the rule "${rule}" agree on ${runs - (disagreements ?? 0)} of ${runs} runs.`;
}

function detectorTable({ firstDetector }: GuardianDetail): string {
  return table([
    ["first detector", "right", "false", "late"],
    ...firstDetector.map((each) => [each.detector, `${each.right}`, `${each.false}`, `${each.late}`]),
  ]);
}

function textLine({ text: { stuck, clean, callsOnly } }: GuardianDetail): string {
  return (
    `No label is about text. The detectors of text intervened in ${stuck} stuck and ${clean} clean runs; ` +
    `without them F1 is ${figure(callsOnly.f1, 3)}.`
  );
}

function foldsTable(folds: readonly Folds[]): string {
  if (folds.length === 0) return "There is only one source, so none can be left out.";
  const cells = folds.map((each) => [each.name, `${each.score.runs}`, ...scoreCells(each.score), chosenLine(each)]);
  return table([["one source left out", "runs", ...scoreHeadings, "chosen"], ...cells]);
}

function chosenLine({ settings, chosen }: Folds): string {
  if (settings < 2) return "nothing to choose";
  const counts = new Map<string, number>();
  for (const { setting } of chosen) counts.set(setting, (counts.get(setting) ?? 0) + 1);
  return [...counts].map(([setting, count]) => `${setting} (${count})`).join("; ");
}

function ablationTable(ablations: readonly Ablation[]): string {
  const cells = ablations.map(({ without, f1, difference, told, moved }) => [
    without,
    figure(f1, 3),
    signed(difference),
    `${told}`,
    `${moved}`,
  ]);
  return table([["without", "F1", "difference", "runs with other signals", "runs judged differently"], ...cells]);
}

function unlabelledTables(unlabelled: Unlabelled): readonly string[] {
  return [
    shares("unlabelled, by source", unlabelled.bySource),
    shares("by outcome", unlabelled.byOutcome),
    shares("by model", unlabelled.byModel),
    table([["first detector", "runs"], ...unlabelled.byDetector.map(({ group, runs }) => [group, `${runs}`])]),
    rates(unlabelled.ratesOnSuccess),
  ];
}

function shares(heading: string, rows: readonly Share[]): string {
  return table([
    [heading, "runs", "with an intervention", "share"],
    ...rows.map(({ group, runs, intervened }) => [group, `${runs}`, `${intervened}`, percent(intervened / runs)]),
  ]);
}

function rates(rows: readonly Rate[]): string {
  return table([
    ["successful runs, per 1,000 calls", "runs", "calls", "hint", "warn", "block", "halt"],
    ...rows.map(({ group, runs, calls, per1000Calls }) => [
      group,
      `${runs}`,
      `${calls}`,
      figure(per1000Calls?.hint ?? null),
      figure(per1000Calls?.warn ?? null),
      figure(per1000Calls?.block ?? null),
      figure(per1000Calls?.halt ?? null),
    ]),
  ]);
}
