import { type Html, html } from "../html.ts";
import type { Measure } from "../measure.ts";
import { scaleTo, share } from "./scale.ts";

/** A column: what was spent, and the part of it in circles. */
export interface Column {
  readonly name: string;
  /** Stands below the axis; undefined for none. */
  readonly label?: string;
  /** Whether the label is left out on a narrow page. */
  readonly isMinor?: boolean;
  readonly all: number;
  readonly stuck: number;
}

/** How a chart looks besides its columns. */
export interface ColumnChart {
  readonly columns: readonly Column[];
  readonly measure: Measure;
  /** The chart as a sentence, for those who do not see it. */
  readonly sentence: string;
  readonly height: number;
  /** What a column stands for, as the title of the table of numbers. */
  readonly unit: string;
}

/** A single day is no wall. */
const MAX_BAR_PERCENT = 6;

/** Columns of work and circles over an axis, with the numbers as a table below. */
export function columnChart({ columns, measure, sentence, height, unit }: ColumnChart): Html {
  const scale = scaleTo(Math.max(...columns.map(({ all }) => all)), { count: 4, isWhole: !measure.isMoney });
  const slot = 100 / columns.length;
  const barWidth = Math.min(slot * 0.64, MAX_BAR_PERCENT);
  const y = (amount: number) => height * (1 - share(amount, scale.max) / 100);
  const grid = scale.ticks.map(
    (tick) => html`<line class="${tick === 0 ? "base" : "grid"}" x1="0" x2="100%" y1="${y(tick)}" y2="${y(tick)}"/>`,
  );
  const ticks = scale.ticks.map(
    (tick) => html`<text x="100%" y="${y(tick) + 4}" text-anchor="end">${measure.tick(tick, scale.step)}</text>`,
  );
  const bars = columns.map(({ name, all, stuck }, index) => {
    const x = `${((index + 0.5) * slot - barWidth / 2).toFixed(3)}%`;
    const width = `${barWidth.toFixed(3)}%`;
    const work = all - stuck;
    const part = (kind: string, from: number, to: number) =>
      to - from <= 0
        ? undefined
        : html`<rect class="${kind}" x="${x}" width="${width}" y="${y(to).toFixed(2)}"
height="${Math.max(0.75, y(from) - y(to)).toFixed(2)}"/>`;
    return html`<g class="col"><title>${columnSentence({ name, all, stuck }, measure)}</title><rect class="slot"
x="${(index * slot).toFixed(3)}%" width="${slot.toFixed(3)}%" y="0" height="${height}"/>${part("work", 0, work)}${part(
      "loop",
      work,
      all,
    )}</g>`;
  });
  const labels = columns.map(({ label, isMinor = false }, index) =>
    label === undefined
      ? html``
      : html`<text class="${isMinor ? "minor" : "major"}" x="${((index + 0.5) * slot).toFixed(3)}%" y="${height + 20}"
text-anchor="middle">${label}</text>`,
  );
  return html`<div class="chart"><svg class="ticks" width="100%" height="${height + 28}" aria-hidden="true">${ticks}</svg>
<svg class="plot" width="100%" height="${height + 28}" role="img" aria-label="${sentence}">${grid}${bars}${labels}</svg></div>
${numbers(columns, { measure, unit })}`;
}

/** "3 Nov: $1.20, $0.40 of it in circles". */
function columnSentence({ name, all, stuck }: Column, measure: Measure): string {
  const circles = stuck > 0 ? `, ${measure.text(stuck)} of it in circles` : "";
  return `${name}: ${measure.text(all)}${measure.isMoney ? "" : " calls"}${circles}`;
}

/** The same numbers as a table, without the columns that are empty. */
function numbers(columns: readonly Column[], { measure, unit }: Pick<ColumnChart, "measure" | "unit">): Html {
  const rows = columns
    .filter(({ all }) => all > 0)
    .map(
      ({ name, all, stuck }) => html`<tr><td>${name}</td><td class="r num">${measure.text(all)}</td><td
class="r num">${stuck > 0 ? measure.text(stuck) : "–"}</td></tr>`,
    );
  return html`<details class="fold numbers"><summary><svg class="i chev" viewBox="0 0 16 16" aria-hidden="true"><use
href="#i-chev"/></svg>The numbers</summary><table class="tbl"><thead><tr><th scope="col">${unit}</th><th scope="col"
class="r">${measure.title}</th><th scope="col" class="r">In circles</th></tr></thead><tbody>${rows}</tbody></table></details>`;
}
