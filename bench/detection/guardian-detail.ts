import { defaultPolicy } from "../../packages/guardian/dist/index.js";
import { analyze } from "../../packages/records/dist/index.js";
import { sourceOf } from "./data.ts";
import { groupsOf } from "./groups.ts";
import { judgedByGuardian, type PreparedRun, type Row } from "./prepared-run.ts";
import { gradeOf, score } from "./score.ts";

/** The guardian's scores by source and kind, and by detector. */
export interface GuardianDetail {
  readonly bySource: readonly Row[];
  /** Stuck runs only, so precision means nothing here. */
  readonly byKind: readonly Row[];
  readonly firstDetector: readonly {
    readonly detector: string;
    readonly right: number;
    readonly false: number;
    readonly late: number;
  }[];
  /** Runs in which `analyze` of the records package reports another first call than the guardian here; should be 0. */
  readonly differsFromAnalyze: number;
}

export function guardianDetail(runs: readonly PreparedRun[]): GuardianDetail {
  const stuck = runs.filter(({ label }) => label.verdict === "stuck");
  return {
    bySource: rowsBy(runs, ({ run }) => sourceOf(run)),
    byKind: rowsBy(stuck, ({ label }) => (label.verdict === "stuck" ? label.kind : "clean")),
    firstDetector: firstDetectors(runs),
    differsFromAnalyze: runs.filter(
      ({ run, first }) => analyze(run, defaultPolicy).interventions[0]?.call !== first?.call,
    ).length,
  };
}

function rowsBy(runs: readonly PreparedRun[], groupOf: (run: PreparedRun) => string): readonly Row[] {
  return groupsOf(runs, groupOf).map(([system, members]) => ({ system, score: score(members.map(judgedByGuardian)) }));
}

function firstDetectors(runs: readonly PreparedRun[]): GuardianDetail["firstDetector"] {
  const intervened = runs.flatMap((run) => (run.first === undefined ? [] : [{ run, detector: run.first.detector }]));
  const rows = groupsOf(intervened, ({ detector }) => detector).map(([detector, members]) => {
    const grades = members.map(({ run }) => gradeOf(judgedByGuardian(run)));
    const count = (...counted: readonly string[]) => grades.filter((grade) => counted.includes(grade)).length;
    return { detector, right: count("right"), false: count("false-alarm", "early"), late: count("late") };
  });
  return rows.sort((a, b) => b.right - a.right);
}
