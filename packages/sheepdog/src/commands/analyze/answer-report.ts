import { write } from "../../io.ts";
import { answerSentences } from "../../look-back/answer-sentences.ts";
import type { Grouping, GroupOrder } from "../../look-back/groups.ts";
import { limitTotals } from "../../look-back/limit-totals.ts";
import type { LookBack } from "../../look-back/look-back.ts";
import { isHardlyStuck, lookBackTotals } from "../../look-back/look-back-totals.ts";
import { worstRuns } from "../../look-back/worst-runs.ts";
import { programName, withProgramName } from "../../program-name.ts";
import { canDraw } from "../../render/terminal/can-draw.ts";
import { hintLines } from "../../render/terminal/command-lines.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { widthOf } from "../../render/terminal/width.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { groupTable, type TableLayout } from "./group-table.ts";
import { hourChart } from "./hour-chart.ts";
import { limitTable } from "./limit-table.ts";
import { opinionsSentence } from "./opinions-sentence.ts";
import { priceHint, priceHintTitle } from "./price-hint.ts";
import type { Report, ReportContext } from "./report.ts";
import { quoted, sentenceLines } from "./styled-sentence.ts";
import { worstLines } from "./worst-lines.ts";

/** Rows of each table, and runs, unless `--top` says otherwise. */
const TABLE_ROWS = 5;
const WORST_RUNS = 10;
/** Wider lines are harder to read. */
const MAX_COLUMNS = 110;

const shownTables: readonly Grouping[] = ["cause", "agent", "tool", "model", "project"];

/** Prints the answer first, then the tables, then the worst runs. */
export const answerReport: Report = async (lookBack, context) => {
  const { io, options } = context;
  const width = Math.min(columnsOf(io.stdout, io.env), MAX_COLUMNS);
  const layout: TableLayout = { width, style: styleFor(io.stdout, io.env), canDraw: canDraw(io.env) };
  const { by } = options;
  const details =
    by === undefined
      ? detailSections(lookBack, context, layout)
      : [byTable(lookBack, by, { context, layout }), priceLines(lookBack, context, layout)];
  const shown = [answerLines(lookBack, context, layout), ...details];
  await write(io.stdout, `${joinSections(shown).join("\n")}\n`);
};

/** Sections with an empty line between them. */
function joinSections(sections: readonly (readonly string[])[]): readonly string[] {
  return sections.filter(({ length }) => length > 0).flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

function answerLines(lookBack: LookBack, { io }: ReportContext, { width, style }: TableLayout): readonly string[] {
  const totals = lookBackTotals(lookBack);
  const [answer = [], ...notes] = answerSentences(lookBack);
  return [
    ...sentenceLines(answer, width, style),
    ...notes.flatMap((note) => wrap(plainText(withProgramName(quoted(note), io.env)), width).map(style.dim)),
    ...(totals.opinions === undefined ? [] : wrap(opinionsSentence(totals.opinions), width)),
  ];
}

/** What is in no sum of money, and how to change that. */
function priceLines(lookBack: LookBack, { io }: ReportContext, { width, style }: TableLayout): readonly string[] {
  const hint = priceHint(lookBackTotals(lookBack), programName(io.env));
  if (hint === undefined) return [];
  const command = hint.command === undefined ? [] : hintLines(`${priceHintTitle}: ${hint.command}`, width);
  return [...wrap(hint.sentence, width).map(style.yellow), ...command];
}

function detailSections(
  lookBack: LookBack,
  context: ReportContext,
  layout: TableLayout,
): readonly (readonly string[])[] {
  const worst = worstRuns(lookBack, context.options.sort ?? "cost");
  const prices = priceLines(lookBack, context, layout);
  const limits = limitTable(limitTotals(lookBack, context.policy), layout);
  if (worst.length === 0) return [limits, prices];
  const rows = { ...layout, max: context.top ?? TABLE_ROWS, order: orderOf(lookBack, context) };
  return [
    ...shownTables.map((by) => groupTable(lookBack, by, rows)).filter((lines) => lines.length > 2),
    hourChart(lookBack, layout),
    limits,
    prices,
    worstSection(worst, context, layout),
    moreLines(context, layout),
  ];
}

function worstSection(
  worst: ReturnType<typeof worstRuns>,
  { top = WORST_RUNS, now, io }: ReportContext,
  layout: TableLayout,
): readonly string[] {
  const shown = worst.slice(0, top);
  const title = worstTitle(worst.length, shown.length);
  const program = programName(io.env);
  return [
    ...wrap(title, layout.width).map(layout.style.bold),
    ...shown.flatMap((each, index) => ["", ...worstLines(each, { ...layout, place: index + 1, now, program })]),
  ];
}

function worstTitle(all: number, shown: number): string {
  if (all === 1) return "THE RUN THAT WENT IN CIRCLES";
  if (shown === all) return `THE ${all} RUNS THAT WENT IN CIRCLES, WORST FIRST`;
  return shown === 1 ? `THE WORST OF ${all} RUNS` : `THE ${shown} WORST OF ${all} RUNS`;
}

function moreLines({ io, isWholeMachine }: ReportContext, { width, style }: TableLayout): readonly string[] {
  const command = `${programName(io.env)} analyze`;
  const local = isWholeMachine ? "Nothing has left this machine. " : "";
  const line = `${local}The evidence: ${command} --explain; other limits: ${command} sweep`;
  if (widthOf(line) <= width) return [style.dim(line)];
  const hints = [`The evidence: ${command} --explain`, `Other limits: ${command} sweep`];
  return [...wrap(local, width), ...hints.flatMap((hint) => hintLines(hint, width))].map(style.dim);
}

function byTable(
  lookBack: LookBack,
  by: Grouping,
  { context, layout }: { readonly context: ReportContext; readonly layout: TableLayout },
): readonly string[] {
  const rows = { max: context.top ?? Number.POSITIVE_INFINITY, order: orderOf(lookBack, context), hasTotal: true };
  const lines = groupTable(lookBack, by, { ...layout, ...rows });
  return lines.length === 0 ? ["No run went in circles, so there are no causes."] : lines;
}

/** Where hardly anything went in circles, people look for what costs most. */
function orderOf(lookBack: LookBack, { options }: ReportContext): GroupOrder {
  if (options.sort !== undefined) return options.sort === "spent" ? "spent" : "circles";
  return isHardlyStuck(lookBackTotals(lookBack)) ? "spent" : "circles";
}
