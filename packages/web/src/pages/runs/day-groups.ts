import type { RunRow } from "../../contract/index.ts";
import { shortDate, startOfDay } from "../../format/times.ts";

/** The runs that started on one day, with what they cost together. */
export interface DayGroup {
  readonly name: string;
  /** "Wed 11 Nov"; empty if the name is the date. */
  readonly date: string;
  readonly runs: readonly RunRow[];
  readonly costUsd: number;
  readonly loopUsd: number;
  /** Runs whose cost is unknown; they are not in the sum. */
  readonly unpriced: number;
}

const NIGHT_ENDS_AT = 6;

/** Runs by the local day on which they started, in their order. After 06:00, what ran before is "Last night". */
export function groupByDay(runs: readonly RunRow[], now: number): readonly DayGroup[] {
  const byName = new Map<string, RunRow[]>();
  for (const run of runs) {
    const name = dayName(run.startedAt, now);
    const members = byName.get(name);
    if (members === undefined) byName.set(name, [run]);
    else members.push(run);
  }
  return [...byName].map(([name, members]) => {
    const date = shortDate(members[0]?.startedAt ?? now);
    return {
      name,
      date: name.startsWith(date) ? "" : date,
      runs: members,
      costUsd: sum(members.map(({ costUsd }) => costUsd ?? 0)),
      loopUsd: sum(members.map(({ loopUsd }) => loopUsd ?? 0)),
      unpriced: members.filter(({ costUsd }) => costUsd === null).length,
    };
  });
}

/** "Last night", "Today", "Yesterday", or the date, with the year if it is another one. */
export function dayName(at: number, now: number): string {
  const today = startOfDay(now);
  const time = new Date(at);
  const isNightOver = new Date(now).getHours() >= NIGHT_ENDS_AT;
  if (at >= today) return isNightOver && time.getHours() < NIGHT_ENDS_AT ? "Last night" : "Today";
  const yesterday = new Date(today);
  yesterday.setDate(yesterday.getDate() - 1);
  if (at >= yesterday.getTime()) return "Yesterday";
  const year = time.getFullYear();
  return year === new Date(now).getFullYear() ? shortDate(at) : `${shortDate(at)} ${year}`;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
