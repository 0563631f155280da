import type { RunResult } from "@sheepdog/agent";
import type { Item, OpinionItem } from "@sheepdog/agent/timeline";
import { dollars } from "../terminal/amounts.ts";
import { plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import { widthOf } from "../terminal/width.ts";
import { callItemLines } from "./call-item-lines.ts";
import { goalLines, verdictLines } from "./goal-lines.ts";
import { guardianLines, withBar } from "./guardian-lines.ts";
import type { ItemLineOptions } from "./item-line-options.ts";
import { type Marks, marksFor } from "./marks.ts";
import { plainLines } from "./plain-lines.ts";
import { endCause, endText } from "./reason-text.ts";
import { costSummary } from "./run-cost.ts";
import { firstLines } from "./shortened-lines.ts";
import { isVerboseOnly } from "./verbose-only.ts";

type Paint = (text: string) => string;

/**
 * An item as lines for a terminal, each of at most `width` columns. Untrusted text in it cannot move the cursor or
 * disguise itself.
 */
export function itemLines(item: Item, options: ItemLineOptions): readonly string[] {
  const { style, width, verbose = false } = options;
  const marks = options.marks ?? marksFor({});
  switch (item.type) {
    case "prompt":
      return promptLines(item, options, marks);
    case "text":
      return plainLines(item.text, width);
    case "thinking":
      return verbose ? plainLines(item.text, width - 2).map((line) => style.dim(`  ${line}`)) : [];
    case "call":
      return callItemLines(item, options, marks);
    case "guardian":
      return guardianLines(item.intervention, options, marks);
    case "opinion":
      return opinionLines(item, options);
    case "recovered":
      return [withBar(style.green, marks.bar)(style.bold(style.green("sheepdog: recovered")))];
    case "verdict":
      return isVerboseOnly(item) && !verbose ? [] : verdictLines(item, options);
    case "goal":
      return goalLines(item, options);
    case "plan":
    case "note":
      return plainLines(item.text, width - 2).map((line) => `  ${noteStyle(item.severity, style)(line)}`);
    case "end":
      return endLines(item.result, options, marks);
    default:
      return item satisfies never;
  }
}

/** The same for an item that occurred several times in a row: a note or the first line ends with the number. */
export function repeatedItemLines(
  { item, times }: { readonly item: Item; readonly times: number },
  options: ItemLineOptions,
): readonly string[] {
  if (times === 1) return itemLines(item, options);
  const count = `${(options.marks ?? marksFor({})).times}${times}`;
  if (item.type === "note") return itemLines({ ...item, text: `${item.text} ${count}` }, options);
  const [first, ...rest] = itemLines(item, { ...options, width: options.width - widthOf(count) - 2 });
  return first === undefined ? [] : [`${first}  ${options.style.bold(count)}`, ...rest];
}

const MAX_PROMPT_LINES = 4;

function promptLines(
  { text, isResumed }: Extract<Item, { type: "prompt" }>,
  { style, width, verbose = false }: ItemLineOptions,
  marks: Marks,
): string[] {
  const [head, indent] = [`${marks.prompt} `, " ".repeat(widthOf(marks.prompt) + 1)];
  const lines = firstLines(plainLines(text.trim(), width - indent.length), {
    max: verbose ? Number.POSITIVE_INFINITY : MAX_PROMPT_LINES,
    width: width - indent.length,
    marks,
  });
  const shown = lines.map((line, index) => style.bold(`${index === 0 ? head : indent}${line}`));
  return isResumed ? [...shown, style.dim(`${indent}(resumed)`)] : shown;
}

/** One line with the verdict and the advice; with `verbose` also the question and the cost. */
function opinionLines(item: OpinionItem, { style, width, verbose = false }: ItemLineOptions): string[] {
  const lines = [opinionText(item), ...(verbose ? opinionDetails(item) : [])];
  return lines.flatMap((line) => plainLines(line, width - 2)).map((line) => `  ${style.dim(line)}`);
}

/** `second opinion: stuck, "Read the file."` */
export function opinionText({ verdict, advice, skipped, problem }: OpinionItem): string {
  const reason = skipped === undefined ? problem : `not asked, ${skipped}`;
  const explained = reason === undefined ? verdict : `${verdict} (${plainText(reason).replace(/\.$/, "")})`;
  return `second opinion: ${explained}${advice === undefined ? "" : `, "${plainText(advice)}"`}`;
}

function opinionDetails({ question, model, costNanoUsd }: OpinionItem): readonly string[] {
  const cost = costNanoUsd === null ? "price unknown" : dollars((costNanoUsd ?? 0) / 1e9);
  return [
    ...(question === undefined ? [] : [`  asked about: ${plainText(question)}`]),
    ...(model === undefined ? [] : [`  answered by ${plainText(model)}, ${cost}`]),
  ];
}

function noteStyle(severity: "info" | "warning" | "error", style: Style): Paint {
  if (severity === "info") return style.dim;
  return severity === "warning" ? style.yellow : style.red;
}

function endLines(result: RunResult, { style, width }: ItemLineOptions, marks: Marks): string[] {
  const { state, reason, problem } = result;
  const isDone = state === "completed";
  if (problem?.includes(" is in use by ") === true && result.turns === 0)
    return plainLines(`${marks.bad} Not started. ${plainText(problem)}`, width).map(style.red);
  const cost = costSummary(result);
  const sentence = isDone
    ? `Done: ${endText(result)} (${cost}).`
    : `Ended: ${endText(result)} (${endCause(reason)}${cost}).`;
  const paint = isDone ? style.green : style.red;
  const [first = "", ...rest] = plainLines(sentence, width - widthOf(marks.good) - 1);
  const indent = " ".repeat(widthOf(marks.good) + 1);
  const details =
    isDone || problem === undefined || isProblemShown(result)
      ? []
      : plainLines(plainText(problem), width - indent.length).map((line) => `${indent}${line}`);
  return [
    paint(`${isDone ? marks.good : marks.bad} ${first}`),
    ...rest.map((line) => paint(`${indent}${line}`)),
    ...details,
  ];
}

/** The reason already says that a run was cancelled, and an intervention already shows why the guardian ended it. */
function isProblemShown({ reason, problem, interventions, isStoppedByUser }: RunResult): boolean {
  if (isStoppedByUser === true) return true; // the question says what it was about
  return reason === "cancelled" || interventions.some(({ message }) => message === problem);
}
