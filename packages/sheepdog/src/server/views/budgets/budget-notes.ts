import { clockText } from "../../../render/clock-text.ts";
import { usdText } from "../../../sentences/amount-text.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** What the note about today is computed from. */
export interface DayFacts {
  readonly now: number;
  readonly spentUsd: number;
  readonly limitUsd: number | null;
  /** Spent within the last hour, and today. */
  readonly lastHourUsd: number;
}

/** When the limit of a day is reached, if spending continues as in the last hour. */
export function dayNote({ now, spentUsd, limitUsd, lastHourUsd }: DayFacts): string {
  if (limitUsd === null) {
    return lastHourUsd > 0
      ? `No limit of a day is set. The last hour cost ${usdText(lastHourUsd)}.`
      : "No limit of a day is set.";
  }
  if (spentUsd >= limitUsd) return "The limit is reached: runs end before their next request, until midnight UTC.";
  if (lastHourUsd <= 0) return "Nothing was spent in the last hour.";
  const reachedAt = now + ((limitUsd - spentUsd) / lastHourUsd) * HOUR_MS;
  const midnight = (Math.floor(now / DAY_MS) + 1) * DAY_MS;
  if (reachedAt >= midnight) return "At the rate of the last hour, the limit is not reached today.";
  return `At the rate of the last hour, the limit is reached at ${clockText(reachedAt)}.`;
}

/** What the note about the month is computed from. */
export interface MonthFacts {
  readonly now: number;
  readonly spentUsd: number;
  readonly loopUsd: number;
  /** Spent within the last seven days, and what loops took of it. */
  readonly lastWeekUsd: number;
  readonly lastWeekLoopUsd: number;
  /** When the first costs of the last seven days were, at most seven days ago. */
  readonly firstCostAt: number;
}

/** What the month costs in the end, if spending continues at the average of the last seven days. */
export function monthNote(facts: MonthFacts): string {
  const { now, spentUsd, loopUsd, lastWeekUsd, lastWeekLoopUsd, firstCostAt } = facts;
  if (lastWeekUsd <= 0) return "Nothing was spent in the last 7 days.";
  const days = Math.min(7, Math.max(1, (now - firstCostAt) / DAY_MS));
  const left = (monthEnd(now) - now) / DAY_MS;
  const course = (spent: number, recent: number) => spent + (recent / days) * left;
  const all = course(spentUsd, lastWeekUsd);
  const withoutLoops = course(Math.max(0, spentUsd - loopUsd), Math.max(0, lastWeekUsd - lastWeekLoopUsd));
  const basis = days >= 7 ? "the last 7 days" : days < 1.5 ? "the last day" : `the last ${Math.round(days)} days`;
  const rest = all - withoutLoops >= 0.01 ? ` Without loops: ${rounded(withoutLoops)}.` : "";
  return `On course for ${rounded(all)}, at the average of ${basis}.${rest}`;
}

/** The first moment of the next month, UTC. */
function monthEnd(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** An estimate has no cents, unless it is small. */
function rounded(usd: number): string {
  return usd >= 10 ? `$${Math.round(usd).toLocaleString("en-US")}` : usdText(usd);
}

/** How much runs cost, and how many ended at their limit. */
export function runNote(costsUsd: readonly number[], endedAtLimit: number): string {
  if (costsUsd.length === 0) return "No run has ended in this time.";
  const sorted = costsUsd.toSorted((a, b) => a - b);
  const owner = endedAtLimit === 1 ? "its" : "their";
  const stopped = endedAtLimit === 0 ? "" : ` ${endedAtLimit.toLocaleString("en-US")} ended at ${owner} limit.`;
  const highest = sorted.at(-1) ?? 0;
  if (sorted.length < 10)
    return sorted.length === 1
      ? `The only run cost ${usdText(highest)}.${stopped}`
      : `The dearest of ${sorted.length} runs cost ${usdText(highest)}.${stopped}`;
  const most = sorted[Math.ceil(sorted.length * 0.9) - 1] ?? highest;
  return `9 of 10 runs cost ${usdText(most)} or less.${stopped}`;
}
