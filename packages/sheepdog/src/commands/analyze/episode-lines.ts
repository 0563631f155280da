import type { RecordedPosition } from "@sheepdog/records";
import { callRanges } from "../../look-back/call-ranges.ts";
import type { EpisodeFacts, EpisodeIntervention, EvidenceCall } from "../../look-back/look-back-run.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { Style } from "../../render/terminal/style.ts";
import { widthOf } from "../../render/terminal/width.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { usdText } from "../../sentences/amount-text.ts";
import { besideEachOther, type PaintedLine, type PaintedText, paintedLines } from "./painted-lines.ts";
import { quoted } from "./styled-sentence.ts";
import { type ChangedPart, foldedParts, textChange } from "./text-change.ts";

/** How evidence is laid out. */
export interface EvidenceLayout {
  readonly width: number;
  readonly style: Style;
  /** The file of the run, and the line at which it begins. */
  readonly file: string;
  readonly line: number;
}

const INDENT = "  ";
/** Two columns need this much. */
const SIDE_BY_SIDE = 90;
const MAX_ARGUMENT_LINES = 5;
const MAX_RESULT_LINES = 5;

/** One loop: what happened, the first and the last call, what differs, and what the policy would have done. */
export async function episodeLines(episode: EpisodeFacts, layout: EvidenceLayout): Promise<readonly string[]> {
  const { width, style } = layout;
  const { sentence, repeats, costUsd, interventions } = episode;
  const amount =
    repeats === 0 ? "" : ` (${counted(repeats, "call")}${costUsd === null ? "" : `, ${usdText(costUsd)}`} in circles)`;
  const evidence = await Promise.all(callGroups(episode.evidence).map((calls) => callGroupLines(calls, layout)));
  return [
    ...wrap(plainText(`${quoted(sentence)}${amount}.`), width).map(style.bold),
    ...evidence.flat(),
    ...wrapIndented(actionsText(interventions), width),
    ...messageLines(interventions, layout),
    ...wrapIndented(savedText(interventions), width),
    ...positionLines(episode.evidence, layout),
  ];
}

/** Calls of the same tool are compared; a cycle has several. */
function callGroups(evidence: readonly EvidenceCall[]): readonly (readonly EvidenceCall[])[] {
  const groups = new Map<string, readonly EvidenceCall[]>();
  for (const call of evidence) groups.set(call.name, [...(groups.get(call.name) ?? []), call]);
  return [...groups.values()].slice(0, MAX_TOOLS);
}

const MAX_TOOLS = 3;

/** The first call and the last one, and how those between them differ. */
async function callGroupLines(calls: readonly EvidenceCall[], layout: EvidenceLayout): Promise<readonly string[]> {
  const { width, style } = layout;
  const first = calls[0];
  const last = calls.at(-1);
  if (first === undefined || last === undefined) return [];
  if (first === last) return callLines(first, width).map(({ text }) => INDENT + text);
  const args = await textChange(plainText(first.args), plainText(last.args));
  const result = await textChange(plainText(first.result), plainText(last.result));
  const compared = await betweenLines(calls, layout);
  const unshown = unshownLines(calls, layout);
  const between = [...compared, ...unshown];
  if ([...args, ...result].every(({ of }) => of === "both") && compared.length <= 1)
    return [
      ...cell(first, { args, result, of: "before" }, { width: width - 2, style }),
      ...paintedLines([{ text: `${numbersOf(calls.slice(1), calls)}: same`, paint: style.dim }], {
        width: width - 2,
        maxLines: 2,
      }),
    ]
      .map(({ text }) => INDENT + text)
      .concat(unshown);
  if (width < SIDE_BY_SIDE) {
    const lines = [
      ...cell(first, { args, result, of: "before" }, { width: width - 2, style }),
      ...cell(last, { args, result, of: "after" }, { width: width - 2, style }),
    ];
    return [...lines.map(({ text }) => INDENT + text), ...between];
  }
  const column = Math.floor((width - 2) / 2);
  const left = cell(first, { args, result, of: "before" }, { width: column - 2, style });
  const right = cell(last, { args, result, of: "after" }, { width: column - 2, style });
  return [...besideEachOther(left, right, column).map((line) => INDENT + line), ...between];
}

interface Compared {
  readonly args: readonly ChangedPart[];
  readonly result: readonly ChangedPart[];
  readonly of: "before" | "after";
}

interface CellLayout {
  readonly width: number;
  readonly style: Style;
}

/** One call: where it is, its arguments and its result. The later one says what is the same as in the earlier one. */
function cell(
  call: EvidenceCall,
  { args, result, of }: Compared,
  { width, style }: CellLayout,
): readonly PaintedLine[] {
  const title = paintedLines([{ text: placeText(call), paint: style.dim }], { width, maxLines: 2 });
  const part = (parts: readonly ChangedPart[], mark: string, maxLines: number) =>
    paintedLines([{ text: mark, paint: style.dim }, ...sideOf(parts, of, style)], { width, maxLines });
  return [
    ...title,
    ...part(args, `${plainText(call.name)} `, MAX_ARGUMENT_LINES),
    ...part(result, call.isError ? "failed: " : "result: ", MAX_RESULT_LINES),
  ];
}

/** One side of a comparison: what differs has a sign and a colour; equal texts are told once. */
function sideOf(parts: readonly ChangedPart[], of: "before" | "after", style: Style): readonly PaintedText[] {
  const isEqual = parts.every((part) => part.of === "both");
  if (isEqual && of === "after") return [{ text: "same", paint: style.dim }];
  if (isEqual) return parts.map(({ text }) => ({ text: text === "" ? "(empty)" : text, paint: plain }));
  const isOtherText = parts.every((part) => part.of !== "both");
  return foldedParts(parts)
    .filter((part) => part.of === "both" || part.of === of)
    .map((part) => (isOtherText ? { text: part.text || "(empty)", paint: plain } : paintedPart(part, style)));
}

/** As in a word diff: `[-before-]` and `{+after+}`. */
function paintedPart({ of, text }: ChangedPart, style: Style): PaintedText {
  if (of === "both") return { text, paint: plain };
  return of === "before" ? { text: `[-${text}-]`, paint: style.red } : { text: `{+${text}+}`, paint: style.green };
}

function plain(text: string): string {
  return text;
}

/** A single call. */
function callLines(call: EvidenceCall, width: number): readonly PaintedLine[] {
  const text = `${placeText(call)}: ${plainText(call.name)} ${plainText(call.args)} → ${plainText(call.result)}`;
  return paintedLines([{ text, paint: plain }], { width: width - 2, maxLines: 3 });
}

/** The calls between the first and the last: those that are the same are one line. */
async function betweenLines(
  calls: readonly EvidenceCall[],
  { width, style }: EvidenceLayout,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const same: EvidenceCall[] = [];
  for (const [index, call] of calls.slice(1, -1).entries()) {
    const before = calls[index];
    if (before === undefined) continue;
    const args = await textChange(plainText(before.args), plainText(call.args));
    const result = await textChange(plainText(before.result), plainText(call.result));
    const changed = args.some(({ of }) => of !== "both") ? args : result;
    if (changed.every(({ of }) => of === "both")) {
      same.push(call);
      continue;
    }
    const difference = changed.every(({ of }) => of !== "both")
      ? changed.flatMap(({ of, text }) => (of === "after" ? [{ text: text || "(empty)", paint: plain }] : []))
      : changed.flatMap((part) =>
          part.of === "both" ? [{ text: " … ", paint: style.dim }] : [paintedPart(part, style)],
        );
    const parts = [{ text: `${numbersOf([call], [call])}: `, paint: style.dim }, ...difference];
    lines.push(...paintedLines(parts, { width: width - 2, maxLines: 2 }).map(({ text }) => INDENT + text));
  }
  const numbers = numbersOf(same, [...calls.slice(0, 1), ...same]);
  const sameLine = numbers === "" ? [] : [INDENT + style.dim(`${numbers}: same`)];
  return [...sameLine, ...lines];
}

/** "calls 2–9": these calls, and those without evidence that are the same as one of `alike`. */
function numbersOf(calls: readonly EvidenceCall[], alike: readonly EvidenceCall[]): string {
  const unshown = alike.flatMap(({ sameCalls = [] }) => sameCalls).flatMap(([from, to]) => range(from, to));
  const all = [...calls.map(({ call }) => call), ...unshown].toSorted((a, b) => a - b);
  if (all.length === 0) return "";
  const number = (call: number) => (call + 1).toLocaleString("en-US");
  const list = callRanges(all).map(([from, to]) => (from === to ? number(from) : `${number(from)}–${number(to)}`));
  return `${all.length === 1 ? "call" : "calls"} ${list.join(", ")}`;
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
}

/** How many calls are neither shown nor the same as one that is. */
function unshownLines(calls: readonly EvidenceCall[], { style }: EvidenceLayout): readonly string[] {
  const count = calls.reduce((sum, { otherCalls = 0 }) => sum + otherCalls, 0);
  return count === 0 ? [] : [INDENT + style.dim(`${counted(count, "more call")} between them: not shown`)];
}

function placeText({ call, turn, at }: EvidenceCall): string {
  const time = at === null ? "" : `, ${new Date(at).toLocaleTimeString("en-GB")}`;
  return `call ${(call + 1).toLocaleString("en-US")}, turn ${(turn + 1).toLocaleString("en-US")}${time}`;
}

const verbs = { hint: "hinted", warn: "warned", block: "refused the next one", halt: "ended the run" } as const;

/** "Would have hinted after call 3, warned after call 4, and ended the run after call 8." */
export function actionsText(interventions: readonly EpisodeIntervention[]): string {
  const actions = interventions.map(
    ({ level, call }) =>
      `${verbs[level]} ${call < 0 ? "before the first call" : `after call ${(call + 1).toLocaleString("en-US")}`}`,
  );
  const list = actions.length < 2 ? actions.join("") : `${actions.slice(0, -1).join(", ")} and ${actions.at(-1)}`;
  return `The guardian would have ${list}.`;
}

function messageLines(
  interventions: readonly EpisodeIntervention[],
  { width, style }: EvidenceLayout,
): readonly string[] {
  const last = interventions.at(-1);
  if (last === undefined) return [];
  return wrapIndented(`It would have said: “${plainText(last.message)}”`, width).map(style.dim);
}

/** What ending the run would have saved; from there on all is hypothetical. */
export function savedText(interventions: readonly EpisodeIntervention[]): string {
  const stop = interventions.find(({ level }) => level === "halt");
  if (stop === undefined) return "";
  const { calls, costUsd } = stop.remaining;
  const money = costUsd === null || costUsd === 0 ? "" : ` and ${usdText(costUsd)}`;
  return `${counted(calls, "call")}${money} followed in the recording, which that end would have saved.`;
}

/** Where the calls are, for people who look them up. */
function positionLines(
  evidence: readonly EvidenceCall[],
  { width, style, file, line }: EvidenceLayout,
): readonly string[] {
  const places = [evidence[0], evidence.at(-1)].flatMap((call) => call?.position ?? []);
  const texts = places.map((place) => positionText(place, file));
  const distinct = [...new Set(texts)];
  const text = distinct.length === 0 ? `${file}${line > 0 ? `:${line}` : ""}` : distinct.join(" … ");
  return paintedLines([{ text: plainText(`In ${text}`), paint: style.dim }], { width: width - 2, maxLines: 6 }).map(
    (each) => INDENT + each.text,
  );
}

function positionText({ file, line, entry }: RecordedPosition, fileOfRun: string): string {
  return `${file ?? fileOfRun}${line === undefined ? "" : `:${line}`}${entry === undefined ? "" : ` (${entry})`}`;
}

function wrapIndented(text: string, width: number): readonly string[] {
  return wrap(text, width - widthOf(INDENT)).map((line) => INDENT + line);
}
