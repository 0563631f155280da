import type { LookBack } from "../../../look-back/look-back.ts";
import { lookBackTotals } from "../../../look-back/look-back-totals.ts";
import { type WorstBy, type WorstRun, worstRuns } from "../../../look-back/worst-runs.ts";
import { packageVersion } from "../../../package-version.ts";
import { counted } from "../../../render/terminal/amounts.ts";
import { answerSection } from "./answer-section.ts";
import { overTime } from "./charts/over-time.ts";
import { groupPanels } from "./group-panel.ts";
import { type Html, html } from "./html.ts";
import { icon } from "./icon.ts";
import { chooseMeasure } from "./measure.ts";
import { moneySection } from "./money-section.ts";
import { page } from "./page.ts";
import { runTable } from "./run-table.ts";
import { scanSection } from "./scan-section.ts";
import { momentText } from "./times.ts";
import { worstRun } from "./worst-run.ts";

/** What the page shows. */
export interface PageRequest {
  /** The number of rows of each table and of worst runs; undefined for the usual numbers. */
  readonly top: number | undefined;
  readonly sort: WorstBy;
  readonly now: number;
  /** How the user calls this program. */
  readonly program: string;
}

const TABLE_ROWS = 8;
const WORST_RUNS = 10;
/** The worst runs that are not folded. */
const OPEN_RUNS = 3;
/** More are drawn only when they are scrolled into view. */
const FEW_RUNS = 20;
/** More would make the file too large to open. */
const MAX_WORST_RUNS = 100;

/** A look back as one HTML file that needs nothing else. */
export async function lookBackPage(lookBack: LookBack, { top, sort, now, program }: PageRequest): Promise<string> {
  const totals = lookBackTotals(lookBack);
  const worst = worstRuns(lookBack, sort);
  const shown = worst.slice(0, Math.min(top ?? WORST_RUNS, MAX_WORST_RUNS));
  const measure = chooseMeasure(totals.costUsd);
  const time = overTime(lookBack, measure);
  const sections = [
    { id: "time", title: "Days", isShown: time.html !== "" },
    { id: "parts", title: "Parts", isShown: true },
    { id: "worst", title: "Worst runs", isShown: worst.length > 0 },
    { id: "runs", title: "All runs", isShown: true },
    { id: "money", title: "Counting", isShown: true },
    { id: "read", title: "Sources", isShown: true },
  ];
  return page({
    title: `Look back at ${counted(totals.runs, "run")} · Sheepdog`,
    subtitle: momentText(now),
    sections: sections.filter(({ isShown }) => isShown),
    main: html`
      ${answerSection({ lookBack, totals, worst, program })}
      ${time}
      ${groupPanels(lookBack, measure, top ?? TABLE_ROWS)}
      ${await worstSection(shown, worst.length, program)}
      ${runTable(lookBack, program)}
      ${moneySection(lookBack, totals)}
      ${scanSection(lookBack)}
    `,
    footer: html`
      <p>
        Made by Sheepdog ${packageVersion()} on ${momentText(now)}. Times are those of the machine on which it was made.
        This file loads nothing and sends nothing. It holds texts of your recordings; known forms of secrets are masked.
        Read it before you share it.
      </p>
    `,
  });
}

async function worstSection(shown: readonly WorstRun[], count: number, program: string): Promise<Html> {
  if (count === 0)
    return html`
      <section class="panel" id="worst">
        <div class="phead"><h2>Runs that went in circles</h2></div>
        <p class="pad">None. In no run did calls repeat without progress.</p>
      </section>
    `;
  const title =
    count === 1
      ? "The run that went in circles"
      : shown.length < count
        ? `The ${shown.length} worst of ${count.toLocaleString("en-US")} runs in circles`
        : "Runs that went in circles, the worst first";
  const runs = await Promise.all(shown.map((worst, index) => worstRun(worst, { place: index + 1, program })));
  return html`
    <section id="worst" class="${shown.length > FEW_RUNS ? "many" : ""}">
      <div class="section-head"><h2>${title}</h2>${timelineLegend()}</div>
      ${runs.slice(0, OPEN_RUNS)}
      ${folded(runs.slice(OPEN_RUNS))}
    </section>
  `;
}

/** The other runs: a page of all of them open would be too tall to find anything on it. */
function folded(runs: readonly Html[]): Html {
  if (runs.length === 0) return html``;
  return html`
    <details class="fold more-runs">
      <summary>${icon("chev")}${counted(runs.length, "more run")} in circles</summary>
      ${runs}
    </details>
  `;
}

/** What the colours of the timelines mean. */
function timelineLegend(): Html {
  return html`
    <div class="legend">
      <span><i class="call"></i>call</span>
      <span><i class="repeat"></i>repeats an earlier call</span>
      <span><i class="failed"></i>failed</span>
      <span>
        <svg class="halt" width="14" height="10" aria-hidden="true">
          <rect width="14" height="10" fill="url(#h-halt)"/>
        </svg>
        would have
      </span>
    </div>
  `;
}
