import { defaultPolicy } from "../../packages/guardian/dist/index.js";
import { analyze } from "../../packages/records/dist/index.js";
import { judged, type Prepared, type Row } from "./contestants.ts";
import { sourceOf } from "./data.ts";
import { groupsOf } from "./groups.ts";
import { score, verdictOf } from "./score.ts";

/** Where the guardian is good and where it is not. */
export interface GuardianDetail {
  readonly bySource: readonly Row[];
  /** Stuck runs only, so there is no precision in it. */
  readonly byKind: readonly Row[];
  readonly firstDetector: readonly {
    readonly detector: string;
    readonly right: number;
    readonly false: number;
    readonly late: number;
  }[];
  /** Runs in which the guardian over its signals and `analyze` of the records package say something first at different calls: should be none. */
  readonly differsFromAnalyze: number;
}

/** The guardian's scores taken apart. */
export function guardianDetail(runs: readonly Prepared[]): GuardianDetail {
  const stuck = runs.filter(({ label }) => label.verdict === "stuck");
  return {
    bySource: rowsBy(runs, ({ run }) => sourceOf(run)),
    byKind: rowsBy(stuck, ({ label }) => (label.verdict === "stuck" ? label.kind : "clean")),
    firstDetector: firstDetectors(runs),
    differsFromAnalyze: runs.filter(
      ({ run, said }) => analyze(run, defaultPolicy).interventions[0]?.call !== said?.call,
    ).length,
  };
}

function rowsBy(runs: readonly Prepared[], groupOf: (run: Prepared) => string): readonly Row[] {
  return groupsOf(runs, groupOf).map(([system, members]) => ({ system, score: score(members.map(judged)) }));
}

function firstDetectors(runs: readonly Prepared[]): GuardianDetail["firstDetector"] {
  const spoken = runs.flatMap((run) => (run.said === undefined ? [] : [{ run, detector: run.said.detector }]));
  const rows = groupsOf(spoken, ({ detector }) => detector).map(([detector, members]) => {
    const verdicts = members.map(({ run }) => verdictOf(judged(run)));
    const count = (...wanted: readonly string[]) => verdicts.filter((verdict) => wanted.includes(verdict)).length;
    return { detector, right: count("right"), false: count("false-alarm", "early"), late: count("late") };
  });
  return rows.sort((a, b) => b.right - a.right);
}
