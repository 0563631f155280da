import type { Group } from "../../../../look-back/groups.ts";
import type { Measure } from "../measure.ts";
import type { Column } from "./column-chart.ts";

/** Days, or weeks where days would be too thin to see. */
export interface DayColumns {
  readonly columns: readonly Column[];
  readonly areWeeks: boolean;
  /** The empty columns that are left out, where there are many in a row. */
  readonly leftOut: number;
  /** What has no time: it is in no column. */
  readonly undated: number;
}

const MOST_DAYS = 92;
const MOST_WEEKS = 160;
const DAY_MS = 86_400_000;
/** More labels would touch each other: those with a year are longer. */
const MOST_LABELS = 10;
const MOST_LONG_LABELS = 7;

/** A column a day from the first day to the last, also for those on which nothing was done. */
export function dayColumns(days: readonly Group[], measure: Measure): DayColumns {
  const dated = days.filter(({ name }) => name !== "").toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const undated = days.filter(({ name }) => name === "").reduce((sum, day) => sum + measure.all(day), 0);
  const [first, last] = [dated[0], dated.at(-1)];
  if (first === undefined || last === undefined) return { columns: [], areWeeks: false, leftOut: 0, undated };
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
  const spans = size === 1 ? Array.from({ length: columnCount }, (_, place) => span(place)) : withoutGaps(sums);
  const hasYears = size > 1 && new Date(start).getUTCFullYear() !== new Date(dayNumber(last.name)).getUTCFullYear();
  const every = Math.max(1, Math.ceil(spans.length / (hasYears ? MOST_LONG_LABELS : MOST_LABELS)));
  const text = hasYears ? dayWithYear : dayName;
  let labelled = Number.NEGATIVE_INFINITY;
  let labels = 0;
  const columns = spans.map(({ from: place, to }, index): Column => {
    const [from, end] = [start + place * size * DAY_MS, start + ((to + 1) * size - 1) * DAY_MS];
    const { all, stuck } = sums.get(place) ?? { all: 0, stuck: 0 };
    const name = size === 1 ? dayName(from) : `${text(from)} to ${text(end)}`;
    if (to > place) return { name, label: "…", all, stuck };
    if (index - labelled < every) return { name, all, stuck };
    labelled = index;
    return { name, label: text(from), isMinor: labels++ % 3 !== 0, all, stuck };
  });
  return {
    columns,
    areWeeks: size > 1,
    leftOut: columnCount - spans.filter(({ from, to }) => from === to).length,
    undated,
  };
}

/** Places from one to another, both included: one column. */
interface Span {
  readonly from: number;
  readonly to: number;
}

function span(from: number, to: number = from): Span {
  return { from, to };
}

/** More empty columns in a row than these are one. */
const MOST_EMPTY = 8;

/** One place each, and one span for many empty ones in a row. */
function withoutGaps(sums: ReadonlyMap<number, unknown>): readonly Span[] {
  const spans: Span[] = [];
  let next = 0;
  for (const place of [...sums.keys()].sort((a, b) => a - b)) {
    if (place - next > MOST_EMPTY) spans.push(span(next, place - 1));
    else for (let empty = next; empty < place; empty++) spans.push(span(empty));
    spans.push(span(place));
    next = place + 1;
  }
  return spans;
}

/** Whole days, whatever the clocks do. */
function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

const names = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

const datesWithYear = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

function dayWithYear(at: number): string {
  return datesWithYear.format(at);
}

function dayName(at: number): string {
  return names.format(at);
}
