import type { RunResult } from "@sheepdog/agent";
import { type Intervention, quotedLine } from "@sheepdog/guardian";
import { changeCount, type DiffLine } from "../diff/diff-line.ts";
import { diffText, paintOf } from "../diff/diff-paint.ts";
import { counted, dollars } from "../terminal/amounts.ts";
import { describeCall } from "../terminal/describe-call.ts";
import { plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import { cut, widthOf } from "../terminal/width.ts";
import { diffRows } from "./diff-rows.ts";
import { duration } from "./duration.ts";
import type { CallItem, Item, OpinionItem } from "./item.ts";
import { type Marks, marksFor } from "./marks.ts";
import { plainLines } from "./plain-lines.ts";
import { endCause, endText } from "./reason-text.ts";
import { repetitionCount } from "./repetition-count.ts";
import { costSummary } from "./run-cost.ts";

/** How items are formatted. */
export interface ItemLineOptions {
  readonly style: Style;
  /** In columns. */
  readonly width: number;
  /** Shows everything: thinking, more output, and the calls that an intervention is about. */
  readonly verbose?: boolean;
  /** Defaults to the Unicode marks. */
  readonly marks?: Marks;
  /** Looks up a call of the session by its index, to describe the evidence. */
  readonly callAt?: (index: number) => Pick<CallItem, "tool" | "input"> | undefined;
}

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
      return callLines(item, options, marks);
    case "guardian":
      return guardianLines(item.intervention, options, marks);
    case "opinion":
      return opinionLines(item, options);
    case "recovered":
      return [withBar(style.green, marks.bar)(style.bold(style.green("sheepdog: recovered")))];
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

/** Columns. Below this width, a refused call does not name the component that refused it. */
const NARROW = 60;
const MAX_OUTPUT_LINES = { ok: 1, failed: 3, verbose: 40 } as const;

/** The call and its outcome on one line; below it, the beginning of its output. */
function callLines(item: CallItem, { style, width, verbose = false }: ItemLineOptions, marks: Marks): string[] {
  const isOk = item.status === "ok";
  const outcome = outcomeText(item, marks, width);
  if (item.diff !== undefined) return diffLines(item, item.diff, { style, width, verbose, marks });
  const paint = item.status === undefined ? style.dim : isOk ? style.green : style.red;
  const call = cut(describeCall({ name: item.tool, args: item.input }), Math.max(8, width - widthOf(outcome) - 4));
  const [tool = "", ...rest] = call.split(" ");
  const head = `  ${style.bold(tool)}${rest.length === 0 ? "" : ` ${rest.join(" ")}`}  ${paint(outcome)}`;
  const max = verbose ? MAX_OUTPUT_LINES.verbose : isOk ? MAX_OUTPUT_LINES.ok : MAX_OUTPUT_LINES.failed;
  const isInIntervention = item.blockedBy === "guardian" && !verbose; // the intervention shows the same text
  const content = isOk && !verbose ? withoutExitCode(item.content ?? "") : (item.content ?? "");
  const texts = isInIntervention ? [] : content.split("\n").filter((line) => line.trim() !== "");
  const output = verbose
    ? plainLines(texts.join("\n"), width - 4)
    : texts.map((line) => cut(plainText(line), width - 4));
  const partOptions = { max, width: width - 4, marks };
  const isFailure = !isOk && !verbose && item.status !== "blocked";
  const shown = isFailure ? failureLines(texts, output, partOptions) : firstLines(output, partOptions);
  return [head, ...shown.map((line) => style.dim(`    ${line}`))];
}

const MAX_DIFF_LINES = { short: 16, verbose: 1_000 } as const;

/** A call that changed a file: its path, the number of changed lines, and the change. */
function diffLines(
  item: CallItem,
  diff: readonly DiffLine[],
  { style, width, verbose = false, marks }: ItemLineOptions & { readonly marks: Marks },
): string[] {
  const outcome = outcomeText(item, marks, width);
  const count = changeCount(diff);
  const path = plainText(pathArgument(item.input));
  const columns = Math.max(8, width - widthOf(`${item.tool}${count}${outcome}`) - 7);
  const head = `  ${style.bold(plainText(item.tool))} ${cut(path, columns)}  ${count}  ${style.green(outcome)}`;
  const max = verbose ? MAX_DIFF_LINES.verbose : MAX_DIFF_LINES.short;
  const rowsOf = (line: DiffLine) =>
    verbose ? diffRows(line, width - 4).map(diffText) : [cut(diffText(line), width - 4)];
  const shown = diff.slice(0, max);
  const rows = shown.flatMap((line) => rowsOf(line).map((row) => `    ${paintOf(line, style)(row)}`));
  const hidden = diff.length - shown.length;
  return [head, ...rows, ...(hidden > 0 ? [style.dim(`    ${marks.more} +${counted(hidden, "line")}`)] : [])];
}

/** The path in the arguments of a call; empty if there is none. */
export function pathArgument(input: unknown): string {
  const path = typeof input === "object" && input !== null && "path" in input ? input.path : undefined;
  return typeof path === "string" ? path : "";
}

/** Exit code 0 says no more than the mark of a successful call. */
function withoutExitCode(content: string): string {
  return content.replace(/\n\[exit code 0\]$/, "");
}

/** How a call ended: `✓ 0.3 s`. On a narrow line it does not name the component that refused the call. */
export function outcomeText(
  { status, blockedBy, ms }: Pick<CallItem, "status" | "blockedBy" | "ms">,
  marks: Marks,
  width = NARROW,
): string {
  if (status === undefined) return marks.more;
  if (status === "blocked") return `${marks.bad} refused${width < NARROW ? "" : ` by the ${blockedBy ?? "gate"}`}`;
  const time = ms === undefined ? "" : ` ${duration(ms)}`;
  if (status === "ok") return `${marks.good}${time}`;
  return `${marks.bad}${status === "error" ? "" : ` ${status}`}${time}`;
}

/** Lines of the guardian have a bar at the left. */
function guardianLines(intervention: Intervention, options: ItemLineOptions, marks: Marks): string[] {
  const { style, width } = options;
  const { level, detector, isApplied, message, question } = intervention;
  const colour = level === "halt" ? style.red : level === "hint" ? style.cyan : style.yellow;
  const textWidth = Math.max(10, width - widthOf(marks.bar) - 3);
  const count = repetitionCount(intervention);
  const cause = `${detector}${count === undefined ? "" : `, ${count} times`}`;
  const action = question === undefined ? level : "asks you"; // the answer decides whether the level takes effect
  const title = `sheepdog: ${isApplied ? "" : "would have said "}${action} (${cause})`;
  const lines = [
    ...plainLines(title, textWidth).map((line) => style.bold(colour(line))),
    ...plainLines(plainText(question ?? message), textWidth).map(colour),
    ...evidenceLines(intervention, options, textWidth).map(style.dim),
  ];
  return lines.map(withBar(colour, marks.bar));
}

/** The calls that are the evidence: described in full if `verbose` and known, else by their numbers. */
function evidenceLines(
  { evidence, tool }: Intervention,
  { verbose = false, callAt }: ItemLineOptions,
  width: number,
): string[] {
  if (evidence.length === 0) return [];
  const calls = verbose && callAt !== undefined ? evidence.map((index) => ({ index, call: callAt(index) })) : [];
  const described = calls.flatMap(({ index, call }) =>
    call === undefined ? [] : [cut(`call ${index + 1}  ${describeCall({ name: call.tool, args: call.input })}`, width)],
  );
  if (described.length > 0) return described;
  const noun = evidence.length === 1 ? "call" : "calls";
  return plainLines(`Seen in ${noun} ${ranges(evidence)}${tool === undefined ? "" : ` (${plainText(tool)})`}.`, width);
}

/** Numbers from 1; consecutive numbers as a range, `2-5`. */
function ranges(indexes: readonly number[]): string {
  const parts: { readonly from: number; to: number }[] = [];
  for (const index of indexes) {
    const last = parts.at(-1);
    if (last !== undefined && index === last.to + 1) last.to = index;
    else parts.push({ from: index, to: index });
  }
  return parts.map(({ from, to }) => (from === to ? `${from + 1}` : `${from + 1}-${to + 1}`)).join(", ");
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

function withBar(colour: Paint, bar: string): Paint {
  return (line) => `  ${colour(bar)} ${line}`;
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
function isProblemShown({ reason, problem, interventions }: RunResult): boolean {
  return reason === "cancelled" || interventions.some(({ message }) => message === problem);
}

interface PartOptions {
  readonly max: number;
  readonly width: number;
  readonly marks: Marks;
}

/** The end of a failed result, or the line that says what went wrong if it stands further up, and the last line. */
function failureLines(
  texts: readonly string[],
  output: readonly string[],
  { max, width, marks }: PartOptions,
): readonly string[] {
  const quoted = quotedLine(texts.join("\n"))?.trim();
  const index = quoted === undefined ? -1 : texts.findIndex((line) => line.trim() === quoted);
  const [line, last] = [output[index], output.at(-1)];
  const hidden = output.length - 2;
  if (line === undefined || last === undefined || index >= output.length - max)
    return lastLines(output, { max, width, marks });
  return [line, `${marks.more} +${counted(hidden, "line")}  ${cut(last, Math.max(4, width - 16))}`];
}

/** At most `max` lines from the end; the first one says how many are before it. */
function lastLines(lines: readonly string[], { max, width, marks }: PartOptions): readonly string[] {
  if (lines.length <= max) return lines;
  const more = `${marks.more} +${counted(lines.length - max, "line")}  `;
  return lines
    .slice(-max)
    .map((line, index) => (index === 0 ? `${more}${cut(line, Math.max(4, width - widthOf(more)))}` : line));
}

/** At most `max` lines; the last one says how many more there are. */
function firstLines(lines: readonly string[], { max, width, marks }: PartOptions): readonly string[] {
  if (lines.length <= max) return lines;
  const more = `  ${marks.more} +${counted(lines.length - max, "line")}`;
  return lines
    .slice(0, max)
    .map((line, index) => (index === max - 1 ? `${cut(line, Math.max(4, width - widthOf(more)))}${more}` : line));
}
