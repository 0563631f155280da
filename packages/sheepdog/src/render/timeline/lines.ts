import type { RunResult } from "@sheepdog/agent";
import type { Intervention } from "@sheepdog/guardian";
import { counted } from "../terminal/amounts.ts";
import { describeCall } from "../terminal/describe-call.ts";
import { plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import { cut, widthOf } from "../terminal/width.ts";
import { duration } from "./duration.ts";
import type { CallItem, Item } from "./item.ts";
import { type Marks, marksFor } from "./marks.ts";
import { plainLines } from "./plain-lines.ts";
import { reasonWords } from "./reason-words.ts";
import { spentWords } from "./spent-words.ts";
import { timesOf } from "./times-of.ts";

/** How lines are to look. */
export interface Look {
  readonly style: Style;
  /** In columns. */
  readonly width: number;
  /** All of it: thinking, the whole output, the calls an intervention is about. */
  readonly verbose?: boolean;
  /** Signs to use; those of a terminal that speaks UTF-8 where nothing is said. */
  readonly marks?: Marks;
  /** The run's calls by their number, where they are known: evidence is named by them. */
  readonly callAt?: (index: number) => Pick<CallItem, "tool" | "input"> | undefined;
}

type Paint = (text: string) => string;

/** An item as lines for a terminal, each of at most `width` columns. Text from outside can neither move the cursor nor disguise itself. */
export function linesOf(item: Item, look: Look): readonly string[] {
  const { style, width, verbose = false } = look;
  const marks = look.marks ?? marksFor({});
  switch (item.type) {
    case "prompt":
      return promptLines(item, look, marks);
    case "text":
      return plainLines(item.text, width);
    case "thinking":
      return verbose ? plainLines(item.text, width - 2).map((line) => style.dim(`  ${line}`)) : [];
    case "call":
      return callLines(item, look, marks);
    case "guardian":
      return guardianLines(item.intervention, look, marks);
    case "recovered":
      return [barred(style.green, marks.bar)(style.bold(style.green("sheepdog: recovered")))];
    case "note":
      return plainLines(item.text, width - 2).map((line) => `  ${noteStyle(item.severity, style)(line)}`);
    case "end":
      return endLines(item.result, look, marks);
    default:
      return item satisfies never;
  }
}

const PROMPT_LINES = 4;

function promptLines(
  { text, isResumed }: Extract<Item, { type: "prompt" }>,
  { style, width, verbose = false }: Look,
  marks: Marks,
): string[] {
  const [head, indent] = [`${marks.prompt} `, " ".repeat(widthOf(marks.prompt) + 1)];
  const lines = few(plainLines(text.trim(), width - indent.length), {
    most: verbose ? Number.POSITIVE_INFINITY : PROMPT_LINES,
    room: width - indent.length,
    marks,
  });
  const shown = lines.map((line, place) => style.bold(`${place === 0 ? head : indent}${line}`));
  return isResumed ? [...shown, style.dim(`${indent}(goes on)`)] : shown;
}

/** Where there is little room, what was called matters more than by whom it was refused. */
const NARROW = 60;
const OUTPUT_LINES = { good: 1, bad: 2, verbose: 40 } as const;

/** The call on one line with what came of it at its end; below it, the beginning of what it said. */
function callLines(item: CallItem, { style, width, verbose = false }: Look, marks: Marks): string[] {
  const isGood = item.status === "ok";
  const ending = endingOf(item, marks, width);
  const paint = item.status === undefined ? style.dim : isGood ? style.green : style.red;
  const asked = cut(describeCall({ name: item.tool, args: item.input }), Math.max(8, width - widthOf(ending) - 4));
  const [tool = "", ...rest] = asked.split(" ");
  const head = `  ${style.bold(tool)}${rest.length === 0 ? "" : ` ${rest.join(" ")}`}  ${paint(ending)}`;
  const most = verbose ? OUTPUT_LINES.verbose : isGood ? OUTPUT_LINES.good : OUTPUT_LINES.bad;
  const isToldAlready = item.blockedBy === "guardian" && !verbose; // with the intervention
  const content = isGood && !verbose ? withoutExitCode(item.content ?? "") : (item.content ?? "");
  const said = isToldAlready ? [] : content.split("\n").filter((line) => line.trim() !== "");
  const output = verbose ? plainLines(said.join("\n"), width - 4) : said.map((line) => cut(plainText(line), width - 4));
  return [
    head,
    ...(said.length === 0 ? [] : few(output, { most, room: width - 4, marks }).map((line) => style.dim(`    ${line}`))),
  ];
}

/** The mark of a call that went well tells as much. */
function withoutExitCode(content: string): string {
  return content.replace(/\n\[exit code 0\]$/, "");
}

function endingOf({ status, blockedBy, ms }: CallItem, marks: Marks, width: number): string {
  if (status === undefined) return marks.more;
  if (status === "blocked") return `${marks.bad} refused${width < NARROW ? "" : ` by the ${blockedBy ?? "gate"}`}`;
  const took = ms === undefined ? "" : ` ${duration(ms)}`;
  if (status === "ok") return `${marks.good}${took}`;
  return `${marks.bad}${status === "error" ? "" : ` ${status}`}${took}`;
}

/** The guardian's words stand out, with a bar at their side. */
function guardianLines(intervention: Intervention, look: Look, marks: Marks): string[] {
  const { style, width } = look;
  const { level, detector, isApplied, message } = intervention;
  const colour = level === "halt" ? style.red : level === "hint" ? style.cyan : style.yellow;
  const room = Math.max(10, width - widthOf(marks.bar) - 3);
  const times = timesOf(intervention);
  const title = `sheepdog: ${isApplied ? "" : "would have said "}${level} (${detector}${times === undefined ? "" : `, ${times} times`})`;
  const lines = [
    ...plainLines(title, room).map((line) => style.bold(colour(line))),
    ...plainLines(plainText(message), room).map(colour),
    ...evidenceLines(intervention, look, room).map(style.dim),
  ];
  return lines.map(barred(colour, marks.bar));
}

/** The calls that show it, by name where they are known and all is to be shown. */
function evidenceLines({ evidence, tool }: Intervention, { verbose = false, callAt }: Look, room: number): string[] {
  if (evidence.length === 0) return [];
  const named = verbose && callAt !== undefined ? evidence.map((index) => ({ index, call: callAt(index) })) : [];
  const lines = named.flatMap(({ index, call }) =>
    call === undefined ? [] : [cut(`call ${index + 1}  ${describeCall({ name: call.tool, args: call.input })}`, room)],
  );
  if (lines.length > 0) return lines;
  const calls = evidence.length === 1 ? "call" : "calls";
  return plainLines(`Seen in ${calls} ${ranges(evidence)}${tool === undefined ? "" : ` (${plainText(tool)})`}.`, room);
}

/** Numbers for people, from 1; those that follow each other as `2-5`. */
function ranges(indexes: readonly number[]): string {
  const parts: { readonly from: number; to: number }[] = [];
  for (const index of indexes) {
    const last = parts.at(-1);
    if (last !== undefined && index === last.to + 1) last.to = index;
    else parts.push({ from: index, to: index });
  }
  return parts.map(({ from, to }) => (from === to ? `${from + 1}` : `${from + 1}-${to + 1}`)).join(", ");
}

function barred(colour: Paint, bar: string): Paint {
  return (line) => `  ${colour(bar)} ${line}`;
}

function noteStyle(severity: "info" | "warning" | "error", style: Style): Paint {
  if (severity === "info") return style.dim;
  return severity === "warning" ? style.yellow : style.red;
}

function endLines(result: RunResult, { style, width }: Look, marks: Marks): string[] {
  const { state, reason, problem } = result;
  const isDone = state === "completed";
  if (problem?.includes(" is in use by ") === true && result.turns === 0)
    return plainLines(`${marks.bad} Not begun. ${plainText(problem)}`, width).map(style.red);
  const spent = spentWords(result);
  const sentence = isDone
    ? `Done: ${reasonWords[reason]} (${spent}).`
    : `Ended: ${reasonWords[reason]} (${reason}; ${spent}).`;
  const paint = isDone ? style.green : style.red;
  const [first = "", ...rest] = plainLines(sentence, width - widthOf(marks.good) - 1);
  const indent = " ".repeat(widthOf(marks.good) + 1);
  const why =
    isDone || problem === undefined || isTold(result)
      ? []
      : plainLines(plainText(problem), width - indent.length).map((line) => `${indent}${line}`);
  return [
    paint(`${isDone ? marks.good : marks.bad} ${first}`),
    ...rest.map((line) => paint(`${indent}${line}`)),
    ...why,
  ];
}

/** That it was cancelled says the reason; what the guardian ended it for, the guardian has said just before. */
function isTold({ reason, problem, interventions }: RunResult): boolean {
  return reason === "cancelled" || interventions.some(({ message }) => message === problem);
}

/** The first lines; the last of them says how many more there are. */
function few(
  lines: readonly string[],
  { most, room, marks }: { readonly most: number; readonly room: number; readonly marks: Marks },
): readonly string[] {
  if (lines.length <= most) return lines;
  const more = `  ${marks.more} +${counted(lines.length - most, "line")}`;
  return lines
    .slice(0, most)
    .map((line, place) => (place === most - 1 ? `${cut(line, Math.max(4, room - widthOf(more)))}${more}` : line));
}
