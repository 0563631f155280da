import { mkdirSync, writeFileSync } from "node:fs";
import type { Ablation } from "./ablations.ts";
import type { Folds } from "./folds.ts";
import type { GuardianDetail } from "./guardian-detail.ts";
import type { Row } from "./prepared-run.ts";
import type { Agreement } from "./real/index.ts";
import { figure, signed, table } from "./table.ts";
import type { Share, Unlabelled } from "./unlabelled.ts";

/** Everything that was measured: numbers over many runs, no content of a run. */
export interface Report {
  readonly benchmark: "detection";
  readonly date: string;
  readonly node: string;
  readonly method: string;
  readonly runs: { readonly stuck: number; readonly clean: number };
  readonly systems: readonly Row[];
  readonly agreements: readonly Agreement[];
  readonly guardian: GuardianDetail;
  readonly leaveOneSourceOut: readonly Folds[];
  readonly ablations: readonly Ablation[];
  readonly unlabelled: Unlabelled | null;
}

/** The report as text tables. */
export function asTables(report: Report): string {
  const { runs, guardian } = report;
  return [
    `Detection on ${runs.stuck} stuck and ${runs.clean} clean runs. ${report.method}`,
    scores("system", report.systems),
    report.agreements.map(agreementLine).join("\n"),
    `The guardian here and \`analyze\` intervene first at another call in ${guardian.differsFromAnalyze} runs.`,
    scores("sheepdog by source", guardian.bySource),
    scores("sheepdog by kind of stuck", guardian.byKind),
    table([
      ["first detector", "right", "false", "late"],
      ...guardian.firstDetector.map((each) => [each.detector, `${each.right}`, `${each.false}`, `${each.late}`]),
    ]),
    foldsTable(report.leaveOneSourceOut),
    ablationTable(report.ablations),
    ...(report.unlabelled === null ? [] : unlabelledTables(report.unlabelled)),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

/** Writes the report to `bench/results`, for the docs and for later comparison. */
export function save(report: Report): void {
  const folder = new URL("../results/", import.meta.url);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL("detection.json", folder), `${JSON.stringify(report, rounded, 2)}\n`);
}

function scores(heading: string, rows: readonly Row[]): string {
  const cells = rows.map(({ system, score }) => [
    system,
    `${score.runs}`,
    figure(score.precision),
    figure(score.recall),
    figure(score.f1),
    figure(score.wasteAvoided),
    figure(score.latency, 1),
    `${score.falseAlarms}`,
    `${score.early}`,
  ]);
  return table([
    [heading, "runs", "precision", "recall", "F1", "waste avoided", "latency", "alarms in clean runs", "before onset"],
    ...cells,
  ]);
}

function agreementLine({ code, rule, runs, disagreements, note }: Agreement): string {
  if (runs === null) return `${code} was not run: ${note}.`;
  return `${code} itself and the rule "${rule}" agree on ${runs - (disagreements ?? 0)} of ${runs} runs.`;
}

function foldsTable(folds: readonly Folds[]): string {
  if (folds.length === 0) return "There is only one source, so none can be left out.";
  const cells = folds.map(({ system, score, chosen }) => [
    system,
    figure(score.precision),
    figure(score.recall),
    figure(score.f1, 3),
    chosenLine(chosen),
  ]);
  return table([["one source left out", "precision", "recall", "F1", "chosen"], ...cells]);
}

function chosenLine(chosen: Folds["chosen"]): string {
  const other = chosen
    .filter(({ setting }) => setting !== "default")
    .map(({ source, setting }) => `${source}: ${setting}`);
  return other.length === 0 ? "the default each time" : `not the default for ${other.join("; ")}`;
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

function unlabelledTables({ bySource, byOutcome, byModel, byDetector }: Unlabelled): readonly string[] {
  return [
    shares("unlabelled, by source", bySource),
    shares("by outcome", byOutcome),
    shares("by model", byModel),
    table([["first detector", "runs"], ...byDetector.map(({ group, runs }) => [group, `${runs}`])]),
  ];
}

function shares(heading: string, rows: readonly Share[]): string {
  return table([
    [heading, "runs", "with an intervention", "share"],
    ...rows.map(({ group, runs, intervened }) => [
      group,
      `${runs}`,
      `${intervened}`,
      `${((100 * intervened) / runs).toFixed(1)} %`,
    ]),
  ]);
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1000) / 1000 : value;
}
