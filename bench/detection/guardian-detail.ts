import { defaultPolicy } from "../../packages/guardian/dist/index.js";
import { analyze } from "../../packages/records/dist/index.js";
import { groupsOf } from "./groups.ts";
import type { PreparedRun } from "./prepared-run.ts";
import { gradeOf, score } from "./score.ts";
import type { Row } from "./systems.ts";
import { type TextDetail, textDetail } from "./text-detail.ts";

/** The guardian's scores by source and kind, and by detector. */
export interface GuardianDetail {
  readonly bySource: readonly Row[];
  /** Stuck runs only, so precision means nothing here. */
  readonly byKind: readonly Row[];
  readonly firstDetector: readonly DetectorRow[];
  readonly text: TextDetail;
  /** Runs in which `analyze` of the records package reports another first call than the guardian here; should be 0. */
  readonly differsFromAnalyze: number;
}

/** The grades of the runs in which a detector intervened first. */
export interface DetectorRow {
  readonly detector: string;
  readonly right: number;
  readonly false: number;
  readonly late: number;
}

export function guardianDetail(runs: readonly PreparedRun[]): GuardianDetail {
  const stuck = runs.filter(({ label }) => label.verdict === "stuck");
  return {
    bySource: rowsBy(runs, ({ source }) => source),
    byKind: rowsBy(stuck, ({ label }) => (label.verdict === "stuck" ? label.kind : "clean")),
    firstDetector: firstDetectors(runs),
    text: textDetail(runs),
    differsFromAnalyze: runs.filter(
      ({ run, reactions: [first] }) => analyze(run, defaultPolicy).interventions[0]?.call !== first?.call,
    ).length,
  };
}

function rowsBy(runs: readonly PreparedRun[], groupOf: (run: PreparedRun) => string): readonly Row[] {
  return groupsOf(runs, groupOf).map(([name, members]) => ({ name, score: score(members) }));
}

function firstDetectors(runs: readonly PreparedRun[]): readonly DetectorRow[] {
  const intervened = runs.filter(({ reactions }) => reactions.length > 0);
  const rows = groupsOf(intervened, ({ reactions }) => reactions[0]?.detector ?? "none").map(([detector, members]) => {
    const grades = members.map(gradeOf);
    const count = (...counted: readonly string[]) => grades.filter((grade) => counted.includes(grade)).length;
    return { detector, right: count("right"), false: count("false-alarm", "early"), late: count("late") };
  });
  return rows.sort((a, b) => b.right - a.right);
}
