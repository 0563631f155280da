import type { RunReport } from "@sheepdog/records";
import { type Io, write } from "../../io.ts";
import { counted, dollars } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { type Column, layOut } from "../../render/terminal/table.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { explainRun } from "./explain-run.ts";
import type { Reporter } from "./reporter.ts";
import { skippedLines } from "./skipped-lines.ts";
import { totalsSentence } from "./totals-sentence.ts";

/** Rows that are kept for the table; the sums count all. */
const FOUND_ROWS = 500;
const CLEAN_ROWS = 20;

const columns: readonly Column[] = [
  { title: "RUN", align: "left", min: 8, shrinkPriority: 1 },
  { title: "SOURCE/MODEL", align: "left", min: 8, shrinkPriority: 2, isOptional: true },
  { title: "CALLS", align: "right", min: 5 },
  { title: "FIRST FINDING", align: "left", min: 18 },
  { title: "STUCK", align: "right", min: 5, isOptional: true },
  { title: "COST", align: "right", min: 7, isOptional: true },
];

/** The table for people: runs with findings first, then the others, the sums, and what was skipped. */
export function tableReport(io: Io, isExplained: boolean): Reporter {
  const width = columnsOf(io.stdout, io.env);
  const style = styleFor(io.stdout, io.env);
  const found = createRows(FOUND_ROWS);
  const clean = createRows(CLEAN_ROWS);
  return {
    async run(analyzed) {
      const hasFindings = analyzed.report.interventions.length > 0;
      (hasFindings ? found : clean).add(rowOf(analyzed.report));
      if (isExplained && hasFindings) await write(io.stdout, `${explainRun(analyzed, width).join("\n")}\n\n`);
    },
    async end(analysis) {
      if (analysis.totals.runs === 0) return;
      const [head = "", ...rows] = layOut(columns, [...found.rows, ...clean.rows], width);
      const more = [...moreOf(found, "with findings (--jsonl prints all)"), ...moreOf(clean, "without findings")];
      const lines = [
        style.bold(head),
        ...rows.map((row, place) => (place < found.rows.length ? row : style.dim(row))),
        ...more,
        "",
        ...wrap(totalsSentence(analysis.totals), width),
        ...skippedLines(analysis.skipped, analysis.skippedCount).flatMap((line) => wrapped(line, width)),
      ];
      await write(io.stdout, `${lines.join("\n")}\n`);
    },
  };
}

interface Rows {
  readonly rows: readonly (readonly string[])[];
  readonly left: number;
  add(row: readonly string[]): void;
}

function createRows(most: number): Rows {
  const rows: (readonly string[])[] = [];
  let left = 0;
  return {
    rows,
    get left() {
      return left;
    },
    add(row) {
      if (rows.length < most) rows.push(row);
      else left++;
    },
  };
}

function moreOf(rows: Rows, which: string): string[] {
  return rows.left === 0 ? [] : [`and ${counted(rows.left, "more run")} ${which}`];
}

function rowOf(report: RunReport): string[] {
  const [first] = report.interventions;
  const made = [report.source, report.model].filter((each) => each !== null).join("/");
  return [
    plainText(report.id),
    plainText(made),
    String(report.calls),
    first === undefined ? "-" : `${first.detector} ${first.level} @${first.call < 0 ? "start" : first.call}`,
    report.stuck === null ? "-" : String(report.stuck.calls),
    report.costUsd === null ? "-" : dollars(report.costUsd),
  ];
}

function wrapped(line: string, width: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? "";
  return wrap(line, width - indent.length).map((part) => indent + part);
}
