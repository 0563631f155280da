import { answerSentences } from "../../../look-back/answer-sentences.ts";
import { type EndedRuns, endedRuns } from "../../../look-back/ended-runs.ts";
import type { LookBack } from "../../../look-back/look-back.ts";
import type { LookBackTotals } from "../../../look-back/look-back-totals.ts";
import type { WorstRun } from "../../../look-back/worst-runs.ts";
import { counted } from "../../../render/terminal/amounts.ts";
import { shareText } from "../../../render/terminal/percent.ts";
import { usdText } from "../../../sentences/amount-text.ts";
import { opinionsSentence } from "../opinions-sentence.ts";
import { type PriceHint, priceHint } from "../price-hint.ts";
import { share } from "./charts/scale.ts";
import { type Html, html } from "./html.ts";
import { icon } from "./icon.ts";
import { sentenceHtml } from "./sentence-html.ts";
import { dayText } from "./times.ts";

/** What the section is made of. */
export interface Answer {
  readonly lookBack: LookBack;
  readonly totals: LookBackTotals;
  readonly worst: readonly WorstRun[];
  readonly program: string;
}

/** The answer as a sentence, and the numbers behind it. */
export function answerSection({ lookBack, totals, worst, program }: Answer): Html {
  const [answer = [], ...notes] = answerSentences(lookBack);
  const hint = priceHint(totals, program);
  const opinions = totals.opinions === undefined ? undefined : opinionsSentence(totals.opinions);
  return html`
    <section class="answer">
      <h1>${sentenceHtml(answer)}</h1>
      ${notes.map((note) => html`<p class="lede">${sentenceHtml(note)}</p>`)}
      ${opinions === undefined ? undefined : html`<p class="lede">${opinions}</p>`}
      ${hint === undefined ? undefined : unpriced(hint)}
    </section>
    <section class="panel tiles" aria-label="Sums">${tiles(totals, worst)}</section>
  `;
}

function unpriced({ sentence, command }: PriceHint): Html {
  const how = command === undefined ? undefined : html` To set a price: <code>${command}</code>`;
  return html`<p class="unpriced-note warn">${icon("warn")}<span>${sentence}${how}</span></p>`;
}

function tiles(totals: LookBackTotals, worst: readonly WorstRun[]): readonly Html[] {
  const { runs, calls, turns, costUsd, stuckRuns, stuckCalls, stuckUsd, from, to } = totals;
  const ended = endedRuns(worst);
  const isListPrice = costUsd !== null && totals.usage.every(({ recordedNanoUsd }) => recordedNanoUsd === 0);
  const span = from === null || to === null ? "" : ` ${spanText(from, to)}.`;
  const spent =
    costUsd === null
      ? tile("Calls", number(calls), { note: `${counted(runs, "run")}, ${counted(turns, "turn")}.${span}` })
      : tile("Spent", usdText(costUsd), {
          small: isListPrice ? "at list price" : "",
          note: `${counted(runs, "run")}, ${counted(turns, "turn")}.${span}`,
        });
  const inCircles =
    stuckUsd === null
      ? []
      : [
          tile("Went in circles", usdText(stuckUsd), {
            small: costUsd === null || costUsd === 0 ? "" : `${shareText(stuckUsd, costUsd)} of it`,
            part: [stuckUsd, costUsd ?? 0],
            note: "The cost of calls that repeat an earlier one, with the subagents they started.",
          }),
        ];
  const saved = ended.costUsd ?? 0;
  return [
    spent,
    ...inCircles,
    tile("Calls in circles", number(stuckCalls), {
      small: `of ${number(calls)}`,
      part: [stuckCalls, calls],
      note: `In ${number(stuckRuns)} of ${counted(runs, "run")}.`,
    }),
    tile("Would have been saved", saved > 0 ? usdText(saved) : counted(ended.calls, "call"), {
      small: "hypothetical",
      part: saved > 0 ? [saved, costUsd ?? 0] : [ended.calls, calls],
      note: endedText(ended, saved > 0),
    }),
  ];
}

function endedText({ runs, calls }: EndedRuns, isMoney: boolean): string {
  if (runs === 0) return "The policy would have ended no run.";
  if (calls === 0) return `${counted(runs, "run")} would have been ended, at the last call.`;
  return `${counted(runs, "run")} would have been ended${isMoney ? `, ${counted(calls, "call")} earlier` : ""}.`;
}

function spanText(from: number, to: number): string {
  const [first, last] = [dayText(from), dayText(to)];
  return first === last ? first : `${first} to ${last}`;
}

interface Tile {
  readonly small?: string;
  readonly part?: readonly [part: number, whole: number];
  readonly note: string;
}

function tile(title: string, amount: string, { small = "", part, note }: Tile): Html {
  const filled =
    part === undefined
      ? html`<rect class="work" width="100%" height="6" rx="3"/>`
      : html`<rect class="loop-full" width="${share(...part)}%" height="6" rx="3"/>`;
  return html`
    <div>
      <h2>${title}</h2>
      <p class="big">${amount}${small === "" ? undefined : html` <small>${small}</small>`}</p>
      <svg class="bar" width="100%" height="6" aria-hidden="true">
        <rect class="back" width="100%" height="6" rx="3"/>
        ${filled}
      </svg>
      <p>${note}</p>
    </div>
  `;
}

function number(amount: number): string {
  return amount.toLocaleString("en-US");
}
