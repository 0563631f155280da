import { write } from "../../io.ts";
import { agentLabel } from "../../look-back/agent-label.ts";
import { answerSentences } from "../../look-back/answer-sentences.ts";
import { groupLabel } from "../../look-back/group-label.ts";
import { type Group, type Grouping, groupsBy } from "../../look-back/groups.ts";
import type { LookBack } from "../../look-back/look-back.ts";
import { lookBackTotals } from "../../look-back/look-back-totals.ts";
import { type WorstRun, worstRuns } from "../../look-back/worst-runs.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import { nanoUsdText, usdText } from "../../sentences/amount-text.ts";
import { inlineCode, markdownSentence, markdownText } from "./markdown-text.ts";
import { priceHint } from "./price-hint.ts";
import type { Report, ReportContext } from "./report.ts";
import { stopText } from "./worst-lines.ts";

const TABLE_ROWS = 5;
const WORST_RUNS = 10;

/** Prints Markdown for a pull request or a wiki. */
export const markdownReport: Report = async (lookBack, context) => {
  const { by, sort = "cost" } = context.options;
  const worst = worstRuns(lookBack, sort).slice(0, context.top ?? WORST_RUNS);
  const groupings: readonly Grouping[] = by === undefined ? ["cause", "agent", "tool", "model", "project"] : [by];
  const rows = context.top ?? (by === undefined ? TABLE_ROWS : Number.POSITIVE_INFINITY);
  const blocks = [
    "## What went in circles",
    ...answerBlocks(lookBack),
    ...groupings.flatMap((each) => groupTable(lookBack, each, rows)),
    ...(worst.length === 0 || by !== undefined ? [] : ["### The worst runs", ...worstTable(worst, context)]),
  ];
  await write(context.io.stdout, `${blocks.join("\n\n")}\n`);
};

function answerBlocks(lookBack: LookBack): readonly string[] {
  const [answer = "", ...notes] = answerSentences(lookBack).map(markdownSentence);
  const hint = priceHint(lookBackTotals(lookBack), "sheepdog");
  const command = hint?.command === undefined ? "" : ` To set a price: ${inlineCode(hint.command)}`;
  const price = hint === undefined ? [] : [markdownText(hint.sentence) + command];
  return [answer, ...notes, ...price];
}

function groupTable(lookBack: LookBack, by: Grouping, max: number): readonly string[] {
  const groups = groupsBy(lookBack, by);
  if (groups.length === 0) return [];
  const hasMoney = groups.some(({ nanoUsd }) => nanoUsd > 0);
  const rowOf = ({ name, calls, stuckCalls, nanoUsd, stuckNanoUsd }: Group) => [
    markdownText(plainText(groupLabel(by, name))),
    stuckCalls.toLocaleString("en-US"),
    ...(by === "cause" ? [] : [calls.toLocaleString("en-US")]),
    ...(hasMoney ? [nanoUsdText(stuckNanoUsd)] : []),
    ...(hasMoney && by !== "cause" ? [nanoUsdText(nanoUsd)] : []),
  ];
  const head = [
    by[0]?.toUpperCase() + by.slice(1),
    "Calls in circles",
    ...(by === "cause" ? [] : ["of calls"]),
    ...(hasMoney ? ["Cost in circles"] : []),
    ...(hasMoney && by !== "cause" ? ["of cost"] : []),
  ];
  return [table(head, groups.slice(0, max).map(rowOf))];
}

function worstTable(worst: readonly WorstRun[], { options }: ReportContext): readonly string[] {
  const rows = worst.map((each) => [
    `${markdownSentence(each.sentence)}. ${markdownText(stopText(each))}`,
    each.startedAt === null ? "" : new Date(each.startedAt).toLocaleDateString("sv-SE"),
    markdownText(plainText([agentLabel(each.run.source), each.run.project ?? []].flat().join(", "))),
    each.costUsd === null ? `${each.calls.toLocaleString("en-US")} calls` : usdText(each.costUsd),
    inlineCode(`sheepdog show ${each.run.id}`),
  ]);
  const order = options.sort === undefined || options.sort === "cost" ? "" : ` (by ${options.sort})`;
  return [table([`What happened${order}`, "When", "Where", "In circles", "To see it"], rows)];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
