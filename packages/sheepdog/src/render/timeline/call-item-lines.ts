import { type CallItem, duration } from "@sheepdog/agent/timeline";
import { quotedLine } from "@sheepdog/guardian";
import { changeCount, type DiffLine } from "../diff/diff-line.ts";
import { diffText, paintOf } from "../diff/diff-paint.ts";
import { counted } from "../terminal/amounts.ts";
import { describeCall } from "../terminal/describe-call.ts";
import { plainText } from "../terminal/plain-text.ts";
import { cut, widthOf } from "../terminal/width.ts";
import { diffRows } from "./diff-rows.ts";
import type { ItemLineOptions } from "./item-line-options.ts";
import type { Marks } from "./marks.ts";
import { withoutOutsideTag } from "./outside-tag.ts";
import { plainLines } from "./plain-lines.ts";
import { firstLines, lastLines, type PartOptions } from "./shortened-lines.ts";

/** Columns. Below this width, a refused call does not name the component that refused it. */
const NARROW = 60;
const MAX_OUTPUT_LINES = { ok: 1, failed: 3, verbose: 40 } as const;

/** The call and its outcome on one line; below it, the beginning of its output. */
export function callItemLines(
  item: CallItem,
  { style, width, verbose = false }: ItemLineOptions,
  marks: Marks,
): string[] {
  const isOk = item.status === "ok" || item.status === "unknown";
  const outcome = outcomeText(item, marks, width);
  if (item.diff !== undefined) return diffLines(item, item.diff, { style, width, verbose, marks });
  const paint = item.status === undefined || item.status === "unknown" ? style.dim : isOk ? style.green : style.red;
  const call = cut(describeCall({ name: item.tool, args: item.input }), Math.max(8, width - widthOf(outcome) - 4));
  const [tool = "", ...rest] = call.split(" ");
  const head = `  ${style.bold(tool)}${rest.length === 0 ? "" : ` ${rest.join(" ")}`}  ${paint(outcome)}`;
  const max = verbose ? MAX_OUTPUT_LINES.verbose : isOk ? MAX_OUTPUT_LINES.ok : MAX_OUTPUT_LINES.failed;
  const isInIntervention = item.blockedBy === "guardian" && !verbose; // the intervention shows the same text
  const result = withoutOutsideTag(item.content ?? "");
  const content = isOk && !verbose ? withoutExitCode(result) : result;
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
  if (status === "unknown") return marks.more; // the recording does not say whether it failed
  const time = ms === undefined ? "" : ` ${duration(ms)}`;
  if (status === "ok") return `${marks.good}${time}`;
  return `${marks.bad}${status === "error" ? "" : ` ${status}`}${time}`;
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
