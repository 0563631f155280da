import { median } from "../measure/median.ts";
import type { Label } from "./labels.ts";
import { isForce, type Reaction } from "./reaction.ts";

/** A labelled run and the reactions of a system to it, in order, none after a stop. */
export interface Judged {
  readonly label: Label;
  readonly reactions: readonly Reaction[];
}

/** The grade of a first reaction. */
export type Grade = "right" | "missed" | "late" | "early" | "false-alarm" | "quiet";

/** How well a system tells stuck from clean runs. Shares are 0 to 1; null when there are no runs to divide by. */
export interface Score {
  readonly runs: number;
  /** The share of first reactions that are right; late ones do not count. */
  readonly precision: number | null;
  /** The share of stuck runs whose first reaction is right. */
  readonly recall: number | null;
  readonly f1: number | null;
  /** F1 when every onset is one call later: how much of it depends on reacting at the first possible call. */
  readonly marginF1: number | null;
  /** The share of stuck runs with a reaction while it mattered, even if an earlier one was false. */
  readonly caught: number | null;
  /** The share of all wasted calls that come after a right first reaction. */
  readonly wasteAvoided: number | null;
  /** Calls from the onset to a right first reaction, the median. */
  readonly latency: number | null;
  /** Reactions in clean runs: the number of runs, and their share of the clean runs. */
  readonly falseAlarms: number;
  readonly hintsOnClean: number | null;
  /** Stuck runs whose first reaction comes before the onset. */
  readonly early: number;
  /** The share of clean runs with a block or a stop. */
  readonly forceOnClean: number | null;
  /** The share of stuck runs with a block or a stop before the onset. */
  readonly forceBeforeOnset: number | null;
}

/** Right from the onset until one call past the end; an alarm before the onset or in a clean run is false. */
export function gradeOf({ label, reactions: [first] }: Judged): Grade {
  if (label.verdict === "clean") return first === undefined ? "quiet" : "false-alarm";
  if (first === undefined) return "missed";
  if (first.call < label.onset) return "early";
  return mattersAt(label, first) ? "right" : "late";
}

/** The scores over a list of runs. */
export function score(judged: readonly Judged[]): Score {
  const grades = countGrades(judged);
  const clean = judged.filter(({ label }) => label.verdict === "clean");
  const stuck = judged.flatMap(({ label, reactions }) => (label.verdict === "stuck" ? [{ label, reactions }] : []));
  return {
    runs: judged.length,
    ...firstReactionScore(grades),
    marginF1: firstReactionScore(countGrades(judged.map(withLaterOnset))).f1,
    caught: share(stuck, ({ label, reactions }) => reactions.some((reaction) => mattersAt(label, reaction))),
    ...waste(stuck),
    falseAlarms: grades["false-alarm"],
    hintsOnClean: share(clean, ({ reactions }) => reactions.length > 0),
    early: grades.early,
    forceOnClean: share(clean, ({ reactions }) => reactions.some(isForce)),
    forceBeforeOnset: share(stuck, ({ label, reactions }) =>
      reactions.some((reaction) => isForce(reaction) && reaction.call < label.onset),
    ),
  };
}

type Stuck = Extract<Label, { readonly verdict: "stuck" }>;

function mattersAt({ onset, until }: Stuck, { call }: Reaction): boolean {
  return call >= onset && call <= until + 1;
}

function countGrades(judged: readonly Judged[]): Readonly<Record<Grade, number>> {
  const grades = { right: 0, missed: 0, late: 0, early: 0, "false-alarm": 0, quiet: 0 };
  for (const each of judged) grades[gradeOf(each)] += 1;
  return grades;
}

function firstReactionScore(grades: Readonly<Record<Grade, number>>): Pick<Score, "precision" | "recall" | "f1"> {
  const alarms = grades.right + grades.early + grades["false-alarm"];
  const stuck = grades.right + grades.missed + grades.late + grades.early;
  return {
    precision: ratio(grades.right, alarms),
    recall: ratio(grades.right, stuck),
    f1: ratio(2 * grades.right, alarms + stuck),
  };
}

function withLaterOnset({ label, reactions }: Judged): Judged {
  return { label: label.verdict === "stuck" ? { ...label, onset: label.onset + 1 } : label, reactions };
}

function waste(stuck: readonly (Judged & { readonly label: Stuck })[]): Pick<Score, "wasteAvoided" | "latency"> {
  const latencies: number[] = [];
  let wasted = 0;
  let avoided = 0;
  for (const { label, reactions } of stuck) {
    wasted += label.until - label.onset + 1;
    const [first] = reactions;
    if (first === undefined || !mattersAt(label, first)) continue;
    latencies.push(first.call - label.onset);
    avoided += Math.max(0, label.until - first.call);
  }
  return { wasteAvoided: ratio(avoided, wasted), latency: latencies.length === 0 ? null : median(latencies) };
}

function share<T>(members: readonly T[], isCounted: (member: T) => boolean): number | null {
  return ratio(members.filter(isCounted).length, members.length);
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
