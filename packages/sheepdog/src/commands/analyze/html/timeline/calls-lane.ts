import type { LookBackRun } from "../../../../look-back/look-back-run.ts";
import { type Html, html, trusted } from "../html.ts";
import { type CallBin, callBins } from "./call-bins.ts";
import { endLine, lane } from "./lane.ts";
import type { RunAxis } from "./run-axis.ts";

const HEIGHT = 46;
/** Calls go up from here, failures down. */
const BASE = 34;
const TOP = 6;

/** Each call as a bar; those that repeat an earlier one in the colour of loops, failures as marks below. */
export function callsLane(run: LookBackRun, axis: RunAxis): Html {
  const repeated = run.episodes.flatMap(({ repeatedCalls }) => repeatedCalls);
  const bins = callBins(axis.calls, repeated, run.failedCalls);
  const isBinned = axis.calls > bins.length;
  const width = bins.length <= 40 ? 5 : bins.length <= 110 ? 3 : 1.6;
  const high = (part: number) => BASE - (BASE - TOP) * part;
  const bars = (heights: (bin: CallBin) => readonly [from: number, to: number]) =>
    bins
      .map((bin, index) => {
        const [from, to] = heights(bin);
        return from === to ? "" : `M${index + 0.5} ${from.toFixed(1)}V${to.toFixed(1)}`;
      })
      .join("");
  const repeats = bars(({ calls, repeats: count }) => [BASE, high(count / calls)]);
  const others = bars(({ calls, repeats: count }) => [high(count / calls), TOP]);
  const failures = bars(({ failed }) => (failed > 0 ? [BASE + 3, BASE + 9] : [0, 0]));
  const path = (kind: string, shape: string) =>
    shape === "" ? undefined : html`<path class="${kind}" stroke-width="${width}" d="${trusted(shape)}"/>`;
  const stuck = run.report.stuck?.calls ?? 0;
  const failed = run.failedCalls.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  const plot = html`
    <svg class="plot" width="100%" height="${HEIGHT}" aria-hidden="true">
      <svg width="100%" height="${HEIGHT}" viewBox="0 0 ${bins.length} ${HEIGHT}" preserveAspectRatio="none">
        ${path("call", others)}${path("repeat", repeats)}${path("failed", failures)}
      </svg>
      ${endLine(axis, HEIGHT)}
    </svg>
  `;
  const perBar = isBinned ? `${Math.ceil(axis.calls / bins.length)} a bar` : "one a bar";
  return lane({
    title: "Calls",
    note: perBar,
    plot,
    value: `${number(stuck)} in circles`,
    of: `of ${number(axis.calls)}${failed > 0 ? `, ${number(failed)} failed` : ""}`,
  });
}

function number(amount: number): string {
  return amount.toLocaleString("en-US");
}
