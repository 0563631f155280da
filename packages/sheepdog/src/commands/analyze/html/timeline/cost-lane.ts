import type { LookBackRun } from "../../../../look-back/look-back-run.ts";
import { firstStop } from "../../../../look-back/worst-runs.ts";
import { usdText } from "../../../../sentences/amount-text.ts";
import { type Html, html, trusted } from "../html.ts";
import { endLine, lane } from "./lane.ts";
import type { RunAxis } from "./run-axis.ts";

const HEIGHT = 76;
const TOP = 10;
const BOTTOM = HEIGHT - 1;
/** Points closer than this cannot be told apart. */
const MAX_POINTS = 300;

type Point = readonly [x: number, y: number];

/** What the run had spent at each call: ink up to its hypothetical end, the colour of loops after it. */
export function costLane(run: LookBackRun, axis: RunAxis): Html {
  const { costUsd } = run.report;
  if (costUsd === null || costUsd === 0) return html``;
  const points = costPoints(run, axis);
  const { end = 100 } = axis;
  const [before, after] = [points.filter(([x]) => x <= end), points.filter(([x]) => x >= end)];
  const atEnd: Point = [end, heightAt(points, end)];
  const work = [...before, atEnd];
  const rest = [atEnd, ...after];
  const area = (line: readonly Point[]) => `${lineShape(line)}V${BOTTOM}H${line[0]?.[0] ?? 0}Z`;
  const shape = (kind: string, line: readonly Point[]) => html`
    <path class="area${kind}" d="${trusted(area(line))}"/>
    <path class="line${kind}" d="${trusted(lineShape(line))}"/>
  `;
  const plot = html`
    <svg class="plot" width="100%" height="${HEIGHT}" aria-hidden="true">
      <svg width="100%" height="${HEIGHT}" viewBox="0 0 100 ${HEIGHT}" preserveAspectRatio="none">
        ${shape("", work)}
        ${axis.end === undefined ? undefined : shape("-after", rest)}
      </svg>
      ${endLine(axis, HEIGHT)}
      ${endWords(run, axis)}
    </svg>
  `;
  return lane({ title: "Cost", note: "of the run so far", plot, value: usdText(costUsd), of: "in all" });
}

/** Beside the line: on its other side where there is more space. */
function endWords(run: LookBackRun, { end }: RunAxis): Html {
  const stop = firstStop(run);
  if (end === undefined || stop === undefined) return html``;
  const isLeft = end > 55;
  const place = html`x="${end}%" dx="${isLeft ? -8 : 8}" text-anchor="${isLeft ? "end" : "start"}"`;
  const { costUsd } = stop.remaining;
  const spent =
    costUsd === null || costUsd === 0
      ? undefined
      : html`<text class="note" ${place} y="37">${usdText(costUsd)} spent after it</text>`;
  return html`<text class="note end" ${place} y="22">Would have been ended here</text>${spent}`;
}

/** The sums by the calls made, at the end of each turn. */
function costPoints({ facts, report }: LookBackRun, axis: RunAxis): readonly Point[] {
  const { nanoUsd, calls } = facts.spent;
  const total = nanoUsd.at(-1) ?? 0;
  const every = Math.max(1, Math.ceil(nanoUsd.length / MAX_POINTS));
  const points: Point[] = [[0, BOTTOM]];
  for (const [turn, amount] of nanoUsd.entries()) {
    if (turn % every !== 0 && turn !== nanoUsd.length - 1) continue;
    const x = axis.after(Math.min(calls[turn] ?? report.calls, report.calls) - 1);
    points.push([x, Number((BOTTOM - ((BOTTOM - TOP) * amount) / (total || 1)).toFixed(1))]);
  }
  return points;
}

/** The height of the line at a place between its points. */
function heightAt(points: readonly Point[], x: number): number {
  const index = points.findIndex(([at]) => at >= x);
  const next = points[index] ?? points.at(-1);
  const last = points[index - 1];
  if (next === undefined) return BOTTOM;
  if (last === undefined || next[0] === last[0]) return next[1];
  return last[1] + ((next[1] - last[1]) * (x - last[0])) / (next[0] - last[0]);
}

function lineShape(points: readonly Point[]): string {
  return points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x} ${Number(y.toFixed(2))}`).join("");
}
