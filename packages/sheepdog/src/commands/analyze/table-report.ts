import type { ReportedOpinion, RunReport, Totals } from "@sheepdog/records";
import { type Io, write } from "../../io.ts";
import { counted, dollars } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { type Column, layOut } from "../../render/terminal/table.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { explainRun } from "./explain-run.ts";
import type { Reporter } from "./reporter.ts";
import { skippedLines } from "./skipped-lines.ts";

/** The table has at most this many rows; the totals count all runs. */
const MAX_FOUND_ROWS = 500;
const MAX_CLEAN_ROWS = 20;

const columns: readonly Column[] = [
  { title: "RUN", align: "left", min: 8, shrinkPriority: 1 },
  { title: "SOURCE/MODEL", align: "left", min: 8, shrinkPriority: 2, isOptional: true },
  { title: "CALLS", align: "right", min: 5 },
  { title: "FIRST FINDING", align: "left", min: 18 },
  { title: "STUCK", align: "right", min: 5, isOptional: true },
  { title: "COST", align: "right", min: 7, isOptional: true },
];

const opinionColumn: Column = { title: "OPINION", align: "left", min: 7, isOptional: true };

/** Prints a table: runs with findings first, then the others, the totals, and what was skipped. */
export function tableReport(io: Io, isExplained: boolean): Reporter {
  const width = columnsOf(io.stdout, io.env);
  const style = styleFor(io.stdout, io.env);
  const found = createRows(MAX_FOUND_ROWS);
  const clean = createRows(MAX_CLEAN_ROWS);
  return {
    async run(analyzed) {
      const hasFindings = analyzed.report.interventions.length > 0;
      (hasFindings ? found : clean).add(rowOf(analyzed.report));
      const hasOpinions = (analyzed.report.opinions ?? []).length > 0;
      if (isExplained && (hasFindings || hasOpinions))
        await write(io.stdout, `${explainRun(analyzed, width).join("\n")}\n\n`);
    },
    async end(analysis) {
      if (analysis.totals.runs === 0) return;
      const shownColumns = analysis.totals.opinions === undefined ? columns : [...columns, opinionColumn];
      const [head = "", ...rows] = layOut(shownColumns, [...found.rows, ...clean.rows], width);
      const more = [
        ...omittedLine(found, "with findings (--jsonl prints all)"),
        ...omittedLine(clean, "without findings"),
      ];
      const lines = [
        style.bold(head),
        ...rows.map((row, index) => (index < found.rows.length ? row : style.dim(row))),
        ...more,
        "",
        ...wrap(totalsSentence(analysis.totals), width),
        ...opinionsSentence(analysis.totals).flatMap((line) => wrap(line, width)),
        ...skippedLines(analysis.skipped, analysis.skippedCount).flatMap((line) => wrapped(line, width)),
      ];
      await write(io.stdout, `${lines.join("\n")}\n`);
    },
  };
}

interface Rows {
  readonly rows: readonly (readonly string[])[];
  readonly omitted: number;
  add(row: readonly string[]): void;
}

function createRows(max: number): Rows {
  const rows: (readonly string[])[] = [];
  let omitted = 0;
  return {
    rows,
    get omitted() {
      return omitted;
    },
    add(row) {
      if (rows.length < max) rows.push(row);
      else omitted++;
    },
  };
}

function omittedLine({ omitted }: Rows, which: string): string[] {
  return omitted === 0 ? [] : [`and ${counted(omitted, "more run")} ${which}`];
}

function rowOf(report: RunReport): string[] {
  const [first] = report.interventions;
  const sourceAndModel = [report.source, report.model].filter((name) => name !== null).join("/");
  return [
    plainText(report.id),
    plainText(sourceAndModel),
    String(report.calls),
    first === undefined ? "-" : `${first.detector} ${first.level} @${first.call < 0 ? "start" : first.call + 1}`,
    report.stuck === null ? "-" : String(report.stuck.calls),
    report.costUsd === null ? "-" : dollars(report.costUsd),
    ...(report.opinions === undefined ? [] : [newestVerdict(report.opinions)]),
  ];
}

function newestVerdict(opinions: readonly ReportedOpinion[]): string {
  const newest = opinions.at(-1);
  return newest === undefined ? "-" : (newest.verdict ?? "no answer");
}

function opinionsSentence({ opinions }: Totals): string[] {
  if (opinions === undefined) return [];
  const { stuck, working, unsure, unanswered } = opinions;
  const asked = stuck + working + unsure + unanswered;
  if (asked === 0) return ["Second opinions: no question."];
  const open = unanswered === 0 ? "" : `, ${unanswered} without an answer (the rules decide)`;
  return [
    `Second opinions: ${counted(asked, "question")}; ${stuck} stuck, ${working} working, ${unsure} unsure${open}.`,
  ];
}

/** The totals of all runs in one sentence. */
function totalsSentence(totals: Totals): string {
  const { runs, calls, turns, costUsd, unpricedTokens, stuckRuns, stuckCalls, stuckCostUsd } = totals;
  const cost = costUsd === null ? "cost not recorded" : dollars(costUsd);
  const unpriced = unpricedTokens === 0 ? "" : ` and ${counted(unpricedTokens, "token")} without a price`;
  const stuckCost = stuckCostUsd === null || stuckCostUsd === 0 ? "" : `, ${dollars(stuckCostUsd)} of the cost`;
  const stuck =
    stuckRuns === 0
      ? "none was stuck"
      : `${stuckRuns.toLocaleString("en-US")} stuck for ${counted(stuckCalls, "call")}${stuckCost}`;
  const amounts = `${counted(runs, "run")} with ${counted(calls, "call")} in ${counted(turns, "turn")}`;
  return `${amounts}, ${cost}${unpriced}; ${stuck}.`;
}

function wrapped(line: string, width: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? "";
  return wrap(line, width - indent.length).map((part) => indent + part);
}
