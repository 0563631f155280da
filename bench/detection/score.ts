import { median } from "../measure/median.ts";
import type { Label } from "./labels.ts";

/** The first reaction of a system to a run, as its flat call index; undefined where it never reacted. */
export interface Judged {
  readonly label: Label;
  readonly reaction: number | undefined;
}

/** What a first reaction is worth. */
export type Verdict = "right" | "missed" | "late" | "early" | "false-alarm" | "quiet";

/** How well a system tells stuck from clean. Shares are 0 to 1; null where nothing was there to take a share of. */
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

/** Right from the onset until one call past the end; before it, or in a clean run, an alarm is false; later is as good as never. */
export function verdictOf({ label, reaction }: Judged): Verdict {
  if (label.verdict === "clean") return reaction === undefined ? "quiet" : "false-alarm";
  if (reaction === undefined) return "missed";
  if (reaction < label.onset) return "early";
  return reaction <= label.until + 1 ? "right" : "late";
}

/** The scores over some runs. */
export function score(judged: readonly Judged[]): Score {
  const count = { right: 0, missed: 0, late: 0, early: 0, "false-alarm": 0, quiet: 0 } satisfies Record<
    Verdict,
    number
  >;
  const latencies: number[] = [];
  let wasted = 0;
  let avoided = 0;
  for (const each of judged) {
    const verdict = verdictOf(each);
    count[verdict]++;
    if (each.label.verdict === "clean") continue;
    wasted += each.label.until - each.label.onset + 1;
    if (verdict !== "right" || each.reaction === undefined) continue;
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
