import type { Budgets } from "../../contract/index.ts";
import { usd } from "../../format/amounts.ts";

/** What was spent on a day, or on several days in a row. */
export interface DayBar {
  /** UTC dates; the same for a single day. */
  readonly first: string;
  readonly last: string;
  readonly workUsd: number;
  readonly loopUsd: number;
}

const MOST_DAYS_AS_BARS = 120;
const DAYS_A_WEEK = 7;

/** A bar a day, or a bar a week, counted back from the last day, where days would be too thin to see. */
export function dayBars(days: Budgets["days"]): readonly DayBar[] {
  if (days.length <= MOST_DAYS_AS_BARS) {
    return days.map(({ day, workUsd, loopUsd }) => ({ first: day, last: day, workUsd, loopUsd }));
  }
  const bars: DayBar[] = [];
  for (let end = days.length; end > 0; end -= DAYS_A_WEEK) {
    const week = days.slice(Math.max(0, end - DAYS_A_WEEK), end);
    bars.unshift({
      first: week[0]?.day ?? "",
      last: week.at(-1)?.day ?? "",
      workUsd: sum(week.map(({ workUsd }) => workUsd)),
      loopUsd: sum(week.map(({ loopUsd }) => loopUsd)),
    });
  }
  return bars;
}

/** Whether the bars stand for weeks. */
export function areWeeks(bars: readonly DayBar[]): boolean {
  return bars.some(({ first, last }) => first !== last);
}

/** Everything in a bar. */
export function totalUsd({ workUsd, loopUsd }: Pick<DayBar, "workUsd" | "loopUsd">): number {
  return workUsd + loopUsd;
}

/** The UTC date of a time, as the days of the API are named. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The position of the bar that a time falls into. */
export function barAt(bars: readonly DayBar[], at: number): number | undefined {
  const day = utcDay(at);
  const index = bars.findIndex(({ first, last }) => first <= day && day <= last);
  return index === -1 ? undefined : index;
}

/** "Wed 11 Nov", "today", or "5 to 11 Nov" for a week. */
export function barName(bar: DayBar, today: string): string {
  if (bar.first !== bar.last)
    return `${dayOf(bar.first)} ${monthOf(bar.first)} to ${dayOf(bar.last)} ${monthOf(bar.last)}`;
  return bar.last === today ? "today" : `${weekdayOf(bar.last)} ${dayOf(bar.last)} ${monthOf(bar.last)}`;
}

/** About `count` labels below the bars, counted back from the last one. The month stands where it changes. */
export function barLabels(
  bars: readonly DayBar[],
  today: string,
  count = 7,
): readonly { readonly index: number; readonly text: string }[] {
  const every = Math.max(1, Math.ceil((bars.length - 1) / (count - 1)));
  let month = "";
  return bars.flatMap(({ last }, index) => {
    if ((bars.length - 1 - index) % every !== 0) return [];
    if (last === today && !areWeeks(bars)) return [{ index, text: "today" }];
    const isNewMonth = monthOf(last) !== month;
    month = monthOf(last);
    return [{ index, text: isNewMonth ? `${dayOf(last)} ${month}` : dayOf(last) }];
  });
}

/** The chart as a sentence, for those who do not see it. */
export function barsSentence(bars: readonly DayBar[], today: string, limitUsd: number | null): string {
  const loops = sum(bars.map(({ loopUsd }) => loopUsd));
  const all = sum(bars.map(totalUsd));
  if (all === 0) return "Nothing was spent in this time.";
  const dearest = bars.reduce((most, bar) => (totalUsd(bar) > totalUsd(most) ? bar : most));
  const unit = areWeeks(bars) ? "week" : "day";
  return [
    `Spent a ${unit}: ${usd(all)} in all, ${usd(loops)} of it in loops.`,
    `The dearest ${unit} is ${barName(dearest, today)} with ${usd(totalUsd(dearest))}, ` +
      `${usd(dearest.loopUsd)} in loops.`,
    ...(limitUsd === null ? [] : [`The limit of a day is ${usd(limitUsd)}.`]),
  ].join(" ");
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const utc = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
const weekday = utc({ weekday: "short" });
const month = utc({ month: "short" });

function weekdayOf(day: string): string {
  return weekday.format(new Date(`${day}T00:00:00Z`));
}

function monthOf(day: string): string {
  return month.format(new Date(`${day}T00:00:00Z`)).slice(0, 3); // "Sept" is the only longer one
}

function dayOf(day: string): string {
  return String(Number(day.slice(8)));
}
