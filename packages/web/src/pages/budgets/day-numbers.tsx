import { usd } from "../../format/amounts.ts";
import { Icon } from "../../parts/icon.tsx";
import { areWeeks, barName, type DayBar, totalUsd } from "./day-bars.ts";

/** The numbers of the chart as a table, the newest first. Days without costs are left out. */
export function DayNumbers({ bars, today }: { readonly bars: readonly DayBar[]; readonly today: string }) {
  const rows = bars.filter((bar) => totalUsd(bar) > 0).toReversed();
  return (
    <details class="numbers">
      <summary>
        <Icon name="chev" class="chev" />
        The numbers of this chart
      </summary>
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls can take the focus
        <section class="box" tabIndex={0} aria-label="The numbers of this chart">
          <table class="tbl">
            <thead>
              <tr>
                <th scope="col">{areWeeks(bars) ? "Week" : "Day"} (UTC)</th>
                <th scope="col" class="r">
                  Work
                </th>
                <th scope="col" class="r">
                  Loops
                </th>
                <th scope="col" class="r">
                  Together
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((bar) => (
                <tr key={bar.last}>
                  <td>{barName(bar, today)}</td>
                  <td class="r num">{usd(bar.workUsd)}</td>
                  <td class="r num">{usd(bar.loopUsd)}</td>
                  <td class="r num">{usd(totalUsd(bar))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
