import { agentLabel } from "../../../look-back/agent-label.ts";
import type { LookBack } from "../../../look-back/look-back.ts";
import type { LookBackRun } from "../../../look-back/look-back-run.ts";
import { lookBackTotals } from "../../../look-back/look-back-totals.ts";
import { counted } from "../../../render/terminal/amounts.ts";
import { usdText } from "../../../sentences/amount-text.ts";
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
  const money = (title: string, key: string) =>
    hasMoney ? html`<th scope="col" class="r" data-sort="${key}">${title}</th>` : undefined;
  return html`<section class="panel all-runs" id="runs"><div class="phead"><h2>All runs</h2><p>${
    rest.length === 0
      ? "those in circles first"
      : `the first ${number(MAX_ROWS)} of ${number(runs.length)}, those in circles first`
  }</p><div class="filters" id="filters" hidden><label class="vh" for="filter">Filter the runs</label><input class="field"
id="filter" type="search" placeholder="Filter: a word, a model, a folder" autocomplete="off"><label class="check"><input
type="checkbox" id="only-stuck"> only in circles</label><span class="faint num" id="shown" role="status"></span></div></div>
<table class="tbl" id="run-table"><thead><tr><th scope="col" data-sort="0">Run</th><th scope="col" class="wide"
data-sort="1">When</th><th scope="col" class="wide" data-sort="2">Model</th><th scope="col" class="r"
data-sort="3">Calls</th><th scope="col" class="r" data-sort="4">In circles</th>${money("Cost", "5")}${money(
    "In circles",
    "6",
  )}</tr></thead><tbody>${shown.map((run) => row(run, { hasMoney, program, isInside: insideLoops.has(run.id) }))}</tbody>${
    rest.length === 0 ? undefined : restRow({ runs: rest, insideLoops }, hasMoney)
  }</table></section>`;
}

interface RowSetup {
  readonly hasMoney: boolean;
  readonly program: string;
  /** Whether it is a subagent that was started in circles: its cost is in the loop of the run above it. */
  readonly isInside: boolean;
}

function row(run: LookBackRun, { hasMoney, program, isInside }: RowSetup): Html {
  const { report, facts } = run;
  const stuck = report.stuck;
  const title = facts.stuck?.sentence ?? facts.title;
  const where = [agentLabel(run.source), run.project ?? ""]
    .filter((part) => part !== "")
    .map(nameText)
    .join(" · ");
  const at = run.startedAt ?? run.endedAt;
  const cells = hasMoney
    ? html`<td class="r num" data-value="${report.costUsd ?? -1}">${
        report.costUsd === null ? html`<span class="faint">unknown</span>` : usdText(report.costUsd)
      }</td><td class="r num" data-value="${stuck?.costUsd ?? 0}">${
        stuck === null || stuck.costUsd === null ? dash : html`<b>${usdText(stuck.costUsd)}</b>`
      }</td>`
    : undefined;
  return html`<tr${stuck === null ? undefined : html` class="is-stuck"`}><td class="what"><span class="title">${sentenceHtml(
    title.map((part) => clipped(part)),
  )}</span><small><bdi>${where}</bdi>${isInside ? html` <span class="tag">in the loop of the run above it</span>` : undefined}<code>${program} show ${
    run.id
  }</code></small></td><td class="wide num" data-value="${at ?? 0}">${
    at === null ? dash : html`<time title="${momentText(at)}">${dayText(at)}</time>`
  }</td><td class="wide model"><bdi>${nameText(run.model ?? "–")}</bdi></td><td class="r num" data-value="${report.calls}">${number(
    report.calls,
  )}</td><td class="r num" data-value="${stuck?.calls ?? 0}">${stuck === null ? dash : html`<b>${number(stuck.calls)}</b>`}</td>${cells}</tr>`;
}

const dash = html`<span class="faint">–</span>`;

function restRow(rest: Pick<LookBack, "runs" | "insideLoops">, hasMoney: boolean): Html {
  const { runs, calls, stuckRuns, stuckCalls, costUsd, stuckUsd } = lookBackTotals(rest);
  const money = hasMoney
    ? html`<td class="r num">${usdText(costUsd ?? 0)}</td><td class="r num">${stuckUsd === null ? "–" : usdText(stuckUsd)}</td>`
    : undefined;
  return html`<tfoot><tr><td>${counted(runs, "more run")}${
    stuckRuns === 0 ? "" : `, ${number(stuckRuns)} in circles`
  }</td><td class="wide"></td><td class="wide"></td><td class="r num">${number(calls)}</td><td class="r num">${number(
    stuckCalls,
  )}</td>${money}</tr></tfoot>`;
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
