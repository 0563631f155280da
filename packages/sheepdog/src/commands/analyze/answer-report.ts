import { write } from "../../io.ts";
import { answerSentences } from "../../look-back/answer-sentences.ts";
import type { Grouping } from "../../look-back/groups.ts";
import type { LookBack } from "../../look-back/look-back.ts";
import { lookBackTotals } from "../../look-back/look-back-totals.ts";
import { worstRuns } from "../../look-back/worst-runs.ts";
import { programName, withProgramName } from "../../program-name.ts";
import { canDraw } from "../../render/terminal/can-draw.ts";
import { hintLines } from "../../render/terminal/command-lines.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { groupTable, type TableLayout } from "./group-table.ts";
import { hourChart } from "./hour-chart.ts";
import { opinionsSentence } from "./opinions-sentence.ts";
import { priceHint } from "./price-hint.ts";
import type { Report, ReportContext } from "./report.ts";
import { quoted, sentenceLines } from "./styled-sentence.ts";
import { worstLines } from "./worst-lines.ts";

/** Rows of each table, and runs, unless `--top` says otherwise. */
const TABLE_ROWS = 5;
const WORST_RUNS = 10;
/** Wider lines are harder to read. */
const MAX_COLUMNS = 110;

const shownTables: readonly Grouping[] = ["cause", "tool", "model", "project"];

/** Prints the answer first, then the tables, then the worst runs. */
export const answerReport: Report = async (lookBack, context) => {
  const { io, options } = context;
  const width = Math.min(columnsOf(io.stdout, io.env), MAX_COLUMNS);
  const layout: TableLayout = { width, style: styleFor(io.stdout, io.env), canDraw: canDraw(io.env) };
  const sections = [answerLines(lookBack, context, layout), ...detailSections(lookBack, context, layout)];
  const { by } = options;
  const shown = by === undefined ? sections : [sections[0] ?? [], byTable(lookBack, by, { context, layout })];
  await write(io.stdout, `${joinSections(shown).join("\n")}\n`);
};

/** Sections with an empty line between them. */
function joinSections(sections: readonly (readonly string[])[]): readonly string[] {
  return sections.filter(({ length }) => length > 0).flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

function answerLines(lookBack: LookBack, { io }: ReportContext, { width, style }: TableLayout): readonly string[] {
  const totals = lookBackTotals(lookBack);
  const [answer = [], ...notes] = answerSentences(lookBack);
  const hint = priceHint(totals, programName(io.env));
  return [
    ...sentenceLines(answer, width, style),
    ...notes.flatMap((note) => wrap(plainText(withProgramName(quoted(note), io.env)), width).map(style.dim)),
    ...(totals.opinions === undefined ? [] : wrap(opinionsSentence(totals.opinions), width)),
    ...(hint === undefined ? [] : wrap(hint.sentence, width).map(style.yellow)),
    ...(hint?.command === undefined
      ? []
      : hintLines(`To set a price, in cents for a million tokens: ${hint.command}`, width)),
  ];
}

function detailSections(
  lookBack: LookBack,
  context: ReportContext,
  layout: TableLayout,
): readonly (readonly string[])[] {
  const worst = worstRuns(lookBack, context.options.sort ?? "cost");
  if (worst.length === 0) return [];
  const rows = context.top ?? TABLE_ROWS;
  return [
    ...shownTables.map((by) => groupTable(lookBack, by, rows, layout)).filter((lines) => lines.length > 2),
    hourChart(lookBack, layout),
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
    layout.style.bold(title),
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
  return wrap(`${local}The evidence: ${command} --explain; other limits: ${command} sweep`, width).map(style.dim);
}

function byTable(
  lookBack: LookBack,
  by: Grouping,
  { context, layout }: { readonly context: ReportContext; readonly layout: TableLayout },
): readonly string[] {
  const lines = groupTable(lookBack, by, context.top ?? Number.POSITIVE_INFINITY, layout);
  return lines.length === 0 ? ["No run went in circles, so there are no causes."] : lines;
}
