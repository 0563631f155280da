import { median } from "../measure/median.ts";
import type { Label } from "./labels.ts";

/** A run and the index of the call at which a system reacted first; undefined when it never reacted. */
export interface Judged {
  readonly label: Label;
  readonly reaction: number | undefined;
}

/** The grade of a first reaction. */
export type Grade = "right" | "missed" | "late" | "early" | "false-alarm" | "quiet";

/** How well a system tells stuck from clean runs. Shares are 0 to 1; null when there are no runs to divide by. */
export interface Score {
  readonly runs: number;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
  /** The share of all wasted calls that come after a right reaction. */
  readonly wasteAvoided: number | null;
  /** Calls from the onset to a right reaction, the median. */
  readonly latency: number | null;
  /** Reactions in clean runs, and in stuck runs before the onset. */
  readonly falseAlarms: number;
  readonly early: number;
}

/** Right from the onset until one call past the end; an alarm before the onset or in a clean run is false. */
export function gradeOf({ label, reaction }: Judged): Grade {
  if (label.verdict === "clean") return reaction === undefined ? "quiet" : "false-alarm";
  if (reaction === undefined) return "missed";
  if (reaction < label.onset) return "early";
  return reaction <= label.until + 1 ? "right" : "late";
}

/** The scores over a list of runs. */
export function score(judged: readonly Judged[]): Score {
  const count = { right: 0, missed: 0, late: 0, early: 0, "false-alarm": 0, quiet: 0 } satisfies Record<Grade, number>;
  const latencies: number[] = [];
  let wasted = 0;
  let avoided = 0;
  for (const each of judged) {
    const grade = gradeOf(each);
    count[grade] += 1;
    if (each.label.verdict === "clean") continue;
    wasted += each.label.until - each.label.onset + 1;
    if (grade !== "right" || each.reaction === undefined) continue;
    latencies.push(each.reaction - each.label.onset);
    avoided += Math.max(0, each.label.until - each.reaction);
  }
  const alarms = count.right + count.early + count["false-alarm"];
  const stuck = count.right + count.missed + count.late + count.early;
  return {
    runs: judged.length,
    precision: share(count.right, alarms),
    recall: share(count.right, stuck),
    f1: share(2 * count.right, alarms + stuck),
    wasteAvoided: share(avoided, wasted),
    latency: latencies.length === 0 ? null : median(latencies),
    falseAlarms: count["false-alarm"],
    early: count.early,
  };
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
