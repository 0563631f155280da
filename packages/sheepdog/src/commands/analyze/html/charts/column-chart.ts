import { type Html, html } from "../html.ts";
import { icon } from "../icon.ts";
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
/** The outline of a lower part would be higher than the part. */
const THIN = 2;

/** Columns of work and circles over an axis, with the numbers as a table below. */
export function columnChart({ columns, measure, sentence, height, unit }: ColumnChart): Html {
  const scale = scaleTo(Math.max(...columns.map(({ all }) => all)), { count: 4, isWhole: !measure.isMoney });
  const y = (amount: number) => height * (1 - share(amount, scale.max) / 100);
  const grid = scale.ticks.map((tick) => {
    const kind = tick === 0 ? "base" : "grid";
    return html`<line class="${kind}" x1="0" x2="100%" y1="${y(tick)}" y2="${y(tick)}"/>`;
  });
  const ticks = scale.ticks.map((tick) => {
    const text = measure.tick(tick, scale.step);
    return html`<text x="100%" y="${y(tick) + 4}" text-anchor="end">${text}</text>`;
  });
  const slot = 100 / columns.length;
  const bars = columns.map((column, index) => bar(column, { index, slot, height, y, measure }));
  const labels = columns.map((column, index) => label(column, (index + 0.5) * slot, height + 20));
  return html`
    <div class="chart">
      <svg class="ticks" width="100%" height="${height + 28}" aria-hidden="true">${ticks}</svg>
      <svg class="plot" width="100%" height="${height + 28}" role="img" aria-label="${sentence}">
        ${grid}${bars}${labels}
      </svg>
    </div>
    ${numbers(columns, { measure, unit })}
  `;
}

interface BarSetup extends Pick<ColumnChart, "height" | "measure"> {
  readonly index: number;
  /** The width of a column with the space beside it, in percent. */
  readonly slot: number;
  y(amount: number): number;
}

/** The work, and on it what went in circles; the whole slot names its numbers. */
function bar(column: Column, { index, slot, height, y, measure }: BarSetup): Html {
  const width = Math.min(slot * 0.64, MAX_BAR_PERCENT);
  const x = ((index + 0.5) * slot - width / 2).toFixed(3);
  const part = (kind: string, from: number, to: number) => {
    const size = (y(from) - y(to)).toFixed(2);
    if (Number(size) <= 0) return undefined;
    const look = Number(size) < THIN ? `${kind} thin` : kind;
    return html`
      <rect class="${look}" x="${x}%" width="${width.toFixed(3)}%" y="${y(to).toFixed(2)}" height="${size}"/>
    `;
  };
  const work = column.all - column.stuck;
  return html`
    <g class="col">
      <title>${columnSentence(column, measure)}</title>
      <rect class="slot" x="${(index * slot).toFixed(3)}%" width="${slot.toFixed(3)}%" y="0" height="${height}"/>
      ${part("work", 0, work)}
      ${part("loop", work, column.all)}
    </g>
  `;
}

function label({ label: text, isMinor = false }: Column, x: number, y: number): Html {
  if (text === undefined) return html``;
  const kind = isMinor ? "minor" : "major";
  return html`<text class="${kind}" x="${x.toFixed(3)}%" y="${y}" text-anchor="middle">${text}</text>`;
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
    .map(({ name, all, stuck }) => {
      const inCircles = stuck > 0 ? measure.text(stuck) : "–";
      return html`
        <tr><td>${name}</td><td class="r num">${measure.text(all)}</td><td class="r num">${inCircles}</td></tr>
      `;
    });
  return html`
    <details class="fold numbers">
      <summary>${icon("chev")}The numbers</summary>
      <table class="tbl">
        <thead>
          <tr>
            <th scope="col">${unit}</th>
            <th scope="col" class="r">${measure.title}</th>
            <th scope="col" class="r">In circles</th>
          </tr>
        </thead>
        <tbody>${rows}</tbody>
      </table>
    </details>
  `;
}
