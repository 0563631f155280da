import { agentLabel } from "../../../look-back/agent-label.ts";
import type { LookBack } from "../../../look-back/look-back.ts";
import type { LookBackRun } from "../../../look-back/look-back-run.ts";
import { lookBackTotals } from "../../../look-back/look-back-totals.ts";
import { counted } from "../../../render/terminal/amounts.ts";
import { usdText } from "../../../sentences/amount-text.ts";
import { firstSentence } from "../../../sentences/first-sentence.ts";
import { type Html, html } from "./html.ts";
import { nameText } from "./name-text.ts";
import { sentenceHtml } from "./sentence-html.ts";
import { dayText, momentText } from "./times.ts";

/** A page with more rows is slow to open. */
const MAX_ROWS = 500;
/** A sentence in a row. */
const MAX_TITLE_CHARS = 300;

/** All runs: those that went in circles first, the dearest first. Many runs are summed up in the last row. */
export function runTable(lookBack: LookBack, program: string): Html {
  const { runs, insideLoops } = lookBack;
  const ordered = runs.toSorted(
    (a, b) =>
      (b.report.stuck?.costUsd ?? 0) - (a.report.stuck?.costUsd ?? 0) ||
      (b.report.stuck?.calls ?? 0) - (a.report.stuck?.calls ?? 0) ||
      (b.report.costUsd ?? 0) - (a.report.costUsd ?? 0) ||
      b.report.calls - a.report.calls,
  );
  const shown = ordered.slice(0, MAX_ROWS);
  const rest = ordered.slice(MAX_ROWS);
  const hasMoney = runs.some(({ report }) => report.costUsd !== null);
  const columns: readonly (readonly [title: string, kind: string])[] = [
    ["Run", ""],
    ["When", "wide"],
    ["Model", "wide"],
    ["Calls", "r"],
    ["In circles", "r"],
    ...(hasMoney
      ? ([
          ["Cost", "r"],
          ["In circles", "r"],
        ] as const)
      : []),
  ];
  const heads = columns.map(
    ([title, kind], index) => html`<th scope="col" class="${kind}" data-sort="${index}">${title}</th>`,
  );
  const rows = shown.map((run) => row(run, { hasMoney, program, isInside: insideLoops.has(run.id) }));
  const part = rest.length === 0 ? "" : `the first ${number(MAX_ROWS)} of ${number(runs.length)}, `;
  return html`
    <section class="panel all-runs" id="runs">
      <div class="phead"><h2>All runs</h2><p>${part}those in circles first</p>${filters()}</div>
      <table class="tbl" id="run-table">
        <thead><tr>${heads}</tr></thead>
        <tbody>${rows}</tbody>
        ${rest.length === 0 ? undefined : restRow({ runs: rest, insideLoops }, hasMoney)}
      </table>
    </section>
  `;
}

/** Shown by the script, without which they would do nothing. */
function filters(): Html {
  return html`
    <div class="filters" id="filters" hidden>
      <label class="vh" for="filter">Filter the runs</label>
      <input class="field" id="filter" type="search" placeholder="Filter: a word, a model, a folder" autocomplete="off">
      <label class="check"><input type="checkbox" id="only-stuck"> only in circles</label>
      <span class="faint num" id="shown" role="status"></span>
    </div>
  `;
}

interface RowSetup {
  readonly hasMoney: boolean;
  readonly program: string;
  /** Whether it is a subagent that was started in circles: its cost is in the loop of the run above it. */
  readonly isInside: boolean;
}

function row(run: LookBackRun, { hasMoney, program, isInside }: RowSetup): Html {
  const { report, facts, model } = run;
  const { stuck } = report;
  const task = firstSentence(run.task ?? "");
  const title = (facts.stuck?.sentence ?? (task.length > 0 ? task : facts.title)).map(clipped);
  const where = [agentLabel(run.source), run.project ?? ""]
    .filter((part) => part !== "")
    .map(nameText)
    .join(" · ");
  const at = run.startedAt ?? run.endedAt;
  const when = at === null ? undefined : html`<span class="only-narrow">${dayText(at)}</span>`;
  const inside = isInside ? html`<span class="tag">in the loop of the run above it</span>` : undefined;
  const cell = (value: number | null, text: Html | string) =>
    html`<td class="r num" data-value="${value ?? -1}">${value === null ? unknown : text}</td>`;
  const circles = (value: number | null | undefined, text: (amount: number) => string) =>
    cell(value ?? 0, stuck === null || value === null || value === undefined ? dash : html`<b>${text(value)}</b>`);
  return html`
    <tr class="${stuck === null ? "" : "is-stuck"}">
      <td class="what">
        <span class="title">${sentenceHtml(title)}</span>
        <small>${when}<bdi>${where}</bdi>${inside}<code>${program} show ${run.id}</code></small>
      </td>
      <td class="wide num" data-value="${at ?? 0}">
        ${at === null ? dash : html`<time title="${momentText(at)}">${dayText(at)}</time>`}
      </td>
      <td class="wide model"><bdi>${nameText(model ?? "–")}</bdi></td>
      ${cell(report.calls, number(report.calls))}
      ${circles(stuck?.calls, number)}
      ${hasMoney ? cell(report.costUsd, usdText(report.costUsd ?? 0)) : undefined}
      ${hasMoney ? circles(stuck?.costUsd, usdText) : undefined}
    </tr>
  `;
}

const unknown = html`<span class="faint">unknown</span>`;
const dash = html`<span class="faint">–</span>`;

function restRow(rest: Pick<LookBack, "runs" | "insideLoops">, hasMoney: boolean): Html {
  const { runs, calls, stuckRuns, stuckCalls, costUsd, stuckUsd } = lookBackTotals(rest);
  const circles = stuckRuns === 0 ? "" : `, ${number(stuckRuns)} in circles`;
  const amounts = [number(calls), number(stuckCalls), ...(hasMoney ? [costUsd, stuckUsd].map(usdOrDash) : [])];
  return html`
    <tfoot>
      <tr>
        <td>${counted(runs, "more run")}${circles}</td>
        <td class="wide"></td>
        <td class="wide"></td>
        ${amounts.map((amount) => html`<td class="r num">${amount}</td>`)}
      </tr>
    </tfoot>
  `;
}

function usdOrDash(usd: number | null): string {
  return usd === null ? "–" : usdText(usd);
}

type Part = LookBackRun["facts"]["title"][number];

function clipped(part: Part): Part {
  const cut = (text: string) => (text.length > MAX_TITLE_CHARS ? `${text.slice(0, MAX_TITLE_CHARS)}…` : text);
  if ("code" in part) return { code: cut(part.code) };
  return "strong" in part ? { strong: cut(part.strong) } : { text: cut(part.text) };
}

function number(amount: number): string {
  return amount.toLocaleString("en-US");
}
