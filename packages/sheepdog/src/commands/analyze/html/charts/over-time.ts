import { groupsBy } from "../../../../look-back/groups.ts";
import type { LookBack } from "../../../../look-back/look-back.ts";
import { type Html, html } from "../html.ts";
import type { Measure } from "../measure.ts";
import { type Column, columnChart } from "./column-chart.ts";
import { dayColumns } from "./day-columns.ts";
import { hourColumns } from "./hour-columns.ts";

/** What was spent over the days and by hour of the day. Empty where the recordings have no times. */
export function overTime(lookBack: LookBack, measure: Measure): Html {
  const { columns, areWeeks, leftOut, undated } = dayColumns(groupsBy(lookBack, "day"), measure);
  if (columns.length === 0) return html``;
  const hours = hourColumns(groupsBy(lookBack, "hour"), measure);
  const unit = areWeeks ? "week" : "day";
  const verb = measure.isMoney ? "is" : "are";
  const notes = [
    ...(leftOut > 0 ? [`${leftOut} empty ${unit}s are left out`] : []),
    ...(undated > 0 ? [`${amountText(undated, measure)} without a time ${verb} not shown`] : []),
  ];
  const note = notes.length > 0 ? html`<p>${notes.join("; ")}</p>` : undefined;
  const what = measure.isMoney ? "Spent" : "Calls";
  const chart = (shown: readonly Column[], each: string) =>
    columnChart({
      columns: shown,
      measure,
      sentence: chartSentence(shown, each, measure),
      height: HEIGHT,
      unit: each.slice(0, 1).toUpperCase() + each.slice(1),
    });
  return html`
    <div class="two wide-first">
      <section class="panel" id="time">
        <div class="phead"><h2>${what} a ${unit}</h2>${note}${legend()}</div>
        ${chart(columns, unit)}
      </section>
      <section class="panel" id="hours">
        <div class="phead"><h2>${what} by hour of the day</h2>${legend()}</div>
        ${chart(hours, "hour")}
      </section>
    </div>
  `;
}

const HEIGHT = 190;

/** What the two colours of bars mean. */
export function legend(): Html {
  return html`
    <div class="legend"><span><i class="work"></i>work</span><span><i class="loops"></i>in circles</span></div>
  `;
}

function chartSentence(columns: readonly Column[], unit: string, measure: Measure): string {
  const most = columns.reduce((highest, column) => (column.all > highest.all ? column : highest));
  const worst = columns.reduce((highest, column) => (column.stuck > highest.stuck ? column : highest));
  const circles =
    worst.stuck > 0
      ? ` Most in circles: ${worst.name} with ${amountText(worst.stuck, measure)}.`
      : " Nothing went in circles.";
  return `${measure.title} by ${unit}. The most: ${most.name} with ${amountText(most.all, measure)}.${circles}`;
}

function amountText(amount: number, { isMoney, text }: Measure): string {
  return isMoney ? text(amount) : `${text(amount)} ${amount === 1 ? "call" : "calls"}`;
}
