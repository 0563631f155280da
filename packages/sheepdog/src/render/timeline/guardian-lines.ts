import type { Intervention } from "@sheepdog/guardian";
import { describeCall } from "../terminal/describe-call.ts";
import { plainText } from "../terminal/plain-text.ts";
import { cut, widthOf } from "../terminal/width.ts";
import type { ItemLineOptions } from "./item-line-options.ts";
import type { Marks } from "./marks.ts";
import { plainLines } from "./plain-lines.ts";
import { repetitionCount } from "./repetition-count.ts";

/** Lines of the guardian have a bar at the left. */
export function guardianLines(intervention: Intervention, options: ItemLineOptions, marks: Marks): string[] {
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

/** Puts the bar of the guardian in front of a line. */
export function withBar(colour: (text: string) => string, bar: string): (line: string) => string {
  return (line) => `  ${colour(bar)} ${line}`;
}
