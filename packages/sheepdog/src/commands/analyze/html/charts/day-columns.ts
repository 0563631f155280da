import type { Group } from "../../../../look-back/groups.ts";
import type { Measure } from "../measure.ts";
import type { Column } from "./column-chart.ts";

/** Days, or weeks where days would be too thin to see. */
export interface DayColumns {
  readonly columns: readonly Column[];
  readonly areWeeks: boolean;
  /** What has no time: it is in no column. */
  readonly undated: number;
}

const MOST_DAYS = 92;
const MOST_WEEKS = 160;
const DAY_MS = 86_400_000;

/** A column a day from the first day to the last, also for those on which nothing was done. */
export function dayColumns(days: readonly Group[], measure: Measure): DayColumns {
  const dated = days.filter(({ name }) => name !== "").toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const undated = days.filter(({ name }) => name === "").reduce((sum, day) => sum + measure.all(day), 0);
  const [first, last] = [dated[0], dated.at(-1)];
  if (first === undefined || last === undefined) return { columns: [], areWeeks: false, undated };
  const count = (dayNumber(last.name) - dayNumber(first.name)) / DAY_MS + 1;
  const size = count <= MOST_DAYS ? 1 : 7;
  const start = Math.max(dayNumber(first.name), dayNumber(last.name) - (MOST_WEEKS * 7 - 1) * DAY_MS);
  const sums = new Map<number, { all: number; stuck: number }>();
  for (const day of dated) {
    const place = Math.max(0, Math.floor((dayNumber(day.name) - start) / DAY_MS / size));
    const sum = sums.get(place) ?? { all: 0, stuck: 0 };
    sums.set(place, { all: sum.all + measure.all(day), stuck: sum.stuck + measure.stuck(day) });
  }
  const columnCount = Math.floor((dayNumber(last.name) - start) / DAY_MS / size) + 1;
  const every = Math.max(1, Math.ceil(columnCount / 10));
  const columns = Array.from({ length: columnCount }, (_, place): Column => {
    const from = start + place * size * DAY_MS;
    const { all, stuck } = sums.get(place) ?? { all: 0, stuck: 0 };
    const name = size === 1 ? dayName(from) : `${dayName(from)} to ${dayName(from + 6 * DAY_MS)}`;
    if (place % every !== 0) return { name, all, stuck };
    return { name, label: dayName(from), isMinor: (place / every) % 3 !== 0, all, stuck };
  });
  return { columns, areWeeks: size > 1, undated };
}

/** Whole days, whatever the clocks do. */
function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

const names = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

function dayName(at: number): string {
  return names.format(at);
}
