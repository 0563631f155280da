import type { Findings } from "../../contract/index.ts";
import { counted, percent, usd } from "../../format/amounts.ts";

export type Sweep = Findings["sweep"];
export type SweepPoint = Sweep["points"][number];
export type SweepBy = Sweep["by"];
/** What a limit saves is told in dollars, or in calls where nothing has a price. */
export type Measure = "usd" | "calls";

/** Dollars if any limit saves some, otherwise calls. */
export function measureOf(points: readonly SweepPoint[]): Measure {
  return points.some(({ savedUsd }) => savedUsd > 0) ? "usd" : "calls";
}

/** What a limit saves, in the measure. */
export function savedAt(point: SweepPoint, measure: Measure): number {
  return measure === "usd" ? point.savedUsd : point.savedCalls;
}

/** "$130.70" or "212 calls". */
export function savedText(amount: number, measure: Measure): string {
  return measure === "usd" ? usd(amount) : counted(amount, "call");
}

/** The value of a limit below the chart: "8", "$5". */
export function limitTick(limit: number, by: SweepBy): string {
  if (by !== "cost") return limit.toLocaleString("en-US");
  return Number.isInteger(limit) ? `$${limit.toLocaleString("en-US")}` : usd(limit);
}

/** The words after the value of a limit: 8 "equal calls", $5.00 "for a run". */
export function limitUnit(limit: number, by: SweepBy): string {
  switch (by) {
    case "calls":
      return limit === 1 ? "equal call" : "equal calls";
    case "cost":
      return "for a run";
    case "turns":
      return limit === 1 ? "turn" : "turns";
    default:
      return by satisfies never;
  }
}

/** The value of a limit, large: "8", "$5.00". */
export function limitValue(limit: number, by: SweepBy): string {
  return by === "cost" ? usd(limit) : limit.toLocaleString("en-US");
}

/** Where the slider begins: at the limit in force, or else at the earliest limit that stops no good run. */
export function firstIndex({ points, current }: Pick<Sweep, "points" | "current">): number {
  if (current !== null) return nearestIndex(points, current);
  const harmless = points.findIndex(({ stoppedGood }) => stoppedGood.length === 0);
  return harmless === -1 ? Math.max(0, points.length - 1) : harmless;
}

function nearestIndex(points: readonly SweepPoint[], limit: number): number {
  const distance = (index: number) => Math.abs((points[index]?.limit ?? Number.POSITIVE_INFINITY) - limit);
  return points.reduce((nearest, _, index) => (distance(index) < distance(nearest) ? index : nearest), 0);
}

/** "One step earlier saves $1.70 more and stops 1 more good run." */
export function stepEarlier(points: readonly SweepPoint[], index: number, measure: Measure): string {
  const point = points[index];
  const earlier = points[index - 1];
  if (point === undefined || earlier === undefined) return "This is the earliest setting.";
  const saved = savedAt(earlier, measure) - savedAt(point, measure);
  const stopped = earlier.stoppedGood.length - point.stoppedGood.length;
  const saves = saved > 0 ? `saves ${savedText(saved, measure)} more` : "saves nothing more";
  const stops = stopped > 0 ? counted(stopped, "more good run") : "no more good runs";
  return `One step earlier ${saves} and stops ${stops}.`;
}

/** What share of the cost of loops, or of all runs, a limit saves; undefined where prices are unknown. */
export function savedShare(point: SweepPoint, by: SweepBy, totals: Findings["totals"]): string | undefined {
  const isOfLoops = by === "calls";
  const whole = isOfLoops ? totals.stuckUsd : totals.costUsd;
  if (whole === null || whole <= 0) return undefined;
  return `${percent(Math.min(1, point.savedUsd / whole))} of what ${isOfLoops ? "loops" : "all runs"} cost`;
}

/** The chart as a sentence, for those who do not see it. */
export function sweepSentence(sweep: Sweep, measure: Measure): string {
  const first = sweep.points[0];
  const last = sweep.points.at(-1);
  if (first === undefined || last === undefined) return "There is nothing to compare.";
  const range = `from ${limitName(first.limit, sweep.by)} to ${limitName(last.limit, sweep.by)}`;
  const saved = [first, last].map((point) => savedText(savedAt(point, measure), measure));
  const [most, least] = [first, last].map(({ stoppedGood }) => stoppedGood.length);
  return (
    `With a limit ${range}, what is saved goes from ${saved[0]} to ${saved[1]}, ` +
    `and the good runs that are stopped go from ${most} to ${least}.`
  );
}

/** "8 equal calls", "$5.00 for a run". */
export function limitName(limit: number, by: SweepBy): string {
  return `${limitValue(limit, by)} ${limitUnit(limit, by)}`;
}

/** The TOML that sets a limit. Limits of money are configured in cents where the key says so. */
export function sweepToml(toml: string, limit: number): string {
  const isInCents = /_cents\s*=\s*\{limit\}/.test(toml);
  return toml.replaceAll("{limit}", String(isInCents ? Math.round(limit * 100) : limit));
}
