import { useMemo } from "preact/hooks";
import type { Budgets } from "../../contract/index.ts";
import { counted, usd } from "../../format/amounts.ts";
import { areWeeks, dayBars, totalUsd, utcDay } from "./day-bars.ts";
import { DayNumbers } from "./day-numbers.tsx";
import { DayPlot } from "./day-plot.tsx";
import { SpendingLegend } from "./spending-legend.tsx";

/** A limit that is higher than this many times the dearest day stands above the chart, or the bars would vanish. */
const MOST_ABOVE_BARS = 4;

/** What was spent a day: work and loops, against the limit of a day. */
export function DayChart({ budgets }: { readonly budgets: Budgets }) {
  const bars = useMemo(() => dayBars(budgets.days), [budgets.days]);
  const today = utcDay(budgets.at);
  const isWeekly = areWeeks(bars);
  const dearestUsd = Math.max(0, ...bars.map(totalUsd));
  const limitUsd = isWeekly ? null : budgets.dayLimitUsd;
  const isLimitShown = limitUsd !== null && limitUsd <= dearestUsd * MOST_ABOVE_BARS;
  return (
    <section class="panel spaced" aria-labelledby="spent-a-day">
      <div class="phead">
        <h2 id="spent-a-day">Spent a {isWeekly ? "week" : "day"}</h2>
        <p>last {counted(budgets.days.length, "day")}</p>
        {limitUsd !== null && !isLimitShown && dearestUsd > 0 && (
          <p>The limit of a day, {usd(limitUsd)}, is above this chart.</p>
        )}
        <SpendingLegend />
      </div>
      {dearestUsd === 0 && <p class="muted pad">Nothing was spent in this time.</p>}
      {dearestUsd > 0 && (
        <>
          <DayPlot
            bars={bars}
            today={today}
            loops={budgets.loops}
            limitUsd={isLimitShown ? limitUsd : null}
            warnUsd={isLimitShown ? budgets.dayWarnUsd : null}
          />
          <DayNumbers bars={bars} today={today} />
        </>
      )}
    </section>
  );
}
