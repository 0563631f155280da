import type { MonthFacts } from "./budget-notes.ts";
import type { LedgerSpending } from "./ledger-spending.ts";
import { utcDay } from "./noticed-loops.ts";
import type { SessionDigest } from "./session-digests.ts";
import { loopSpending, spentSince } from "./spending-split.ts";

const DAY_MS = 86_400_000;

/** What a page says about the current month. */
export interface Month extends MonthFacts {
  readonly name: string;
  /** The day of this month on which loops cost most, if that is more than half of what they cost. */
  readonly worstDay: string | undefined;
}

/** Adds up the current month (UTC) and the last seven days. */
export function monthFacts(facts: {
  readonly now: number;
  readonly recent: LedgerSpending;
  readonly digests: readonly SessionDigest[];
  readonly monthStart: number;
  readonly spentNanoUsd: number;
}): Month {
  const { now, recent, digests, monthStart, spentNanoUsd } = facts;
  const weekDay = utcDay(now - 6 * DAY_MS);
  const monthDay = utcDay(monthStart);
  const loops = loopSpending(digests, monthDay).byDay;
  const loopNanoUsd = [...loops.values()].reduce((sum, amount) => sum + amount, 0);
  const weekLoops = [...loopSpending(digests, weekDay).byDay.values()].reduce((sum, amount) => sum + amount, 0);
  const firstDay = recent.days.find(({ key, costNanoUsd }) => key >= weekDay && costNanoUsd > 0)?.key ?? weekDay;
  const [worst] = [...loops].toSorted(([, a], [, b]) => b - a);
  return {
    now,
    name: new Date(now).toLocaleString("en-US", { month: "long", timeZone: "UTC" }),
    spentUsd: spentNanoUsd / 1e9,
    loopUsd: Math.min(loopNanoUsd, spentNanoUsd) / 1e9,
    lastWeekUsd: spentSince(recent.days, weekDay) / 1e9,
    lastWeekLoopUsd: weekLoops / 1e9,
    firstCostAt: Date.parse(firstDay),
    worstDay: worst !== undefined && loops.size > 1 && worst[1] > loopNanoUsd / 2 ? worst[0] : undefined,
  };
}
