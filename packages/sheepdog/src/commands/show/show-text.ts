import type { Intervention } from "@sheepdog/guardian";
import { counted, dollars } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";
import type { Style } from "../../render/terminal/style.ts";
import { wrap } from "../../render/terminal/wrap.ts";
import { duration } from "../../render/timeline/duration.ts";
import type { Item } from "../../render/timeline/item.ts";
import { type Look, linesOf } from "../../render/timeline/lines.ts";
import type { Marks } from "../../render/timeline/marks.ts";
import { plainLines } from "../../render/timeline/plain-lines.ts";
import { type ResumeContext, resumeHint } from "../../saved-runs/resume-command.ts";
import { describeState, isLive } from "../../saved-runs/run-state.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";
import { clip } from "./clip.ts";
import { collapse, type Repeated, type Stretch, stretches } from "./collapse.ts";
import type { CountedCall, Heed } from "./notice-effect.ts";

/** A run and everything that is shown of it. */
export interface Shown {
  readonly kept: RunSummary;
  /** Where the command is called. */
  readonly here: ResumeContext;
  readonly items: readonly Item[];
  readonly costs: ReadonlyMap<number, number | null>;
  readonly calls: readonly CountedCall[];
  readonly heedOf: (intervention: Intervention) => Heed;
}

/** How it is to look. */
export interface Frame {
  readonly style: Style;
  readonly width: number;
  readonly marks: Marks;
  /** Everything: thinking, more of each output, each call by itself. */
  readonly isFull: boolean;
}

/** A run as a timeline for people: its parts with an empty line between them. */
export function showText(shown: Shown, frame: Frame): readonly string[] {
  return [...partsOf(shown, frame)]
    .filter(({ length }) => length > 0)
    .flatMap((part, place) => (place === 0 ? part : ["", ...part]));
}

function* partsOf(shown: Shown, frame: Frame): Generator<readonly string[]> {
  const { kept, items, costs } = shown;
  const tell = (each: Repeated) => itemLines(each, shown, frame);
  const of = (stretch: Stretch, ...types: readonly Item["type"][]) =>
    stretch.items.filter(({ item }) => types.includes(item.type));
  yield headLines(kept, frame);
  const visible = frame.isFull ? items : items.filter((item) => item.type !== "thinking" && !isToldByCall(item, items));
  const repeated = frame.isFull ? visible.flatMap((item) => collapse([item])) : collapse(visible);
  let end: readonly string[] = [];
  for (const stretch of stretches(inTurns(repeated))) {
    for (const each of of(stretch, "prompt")) yield tell(each);
    const inside = stretch.items.filter(({ item }) => item.type !== "prompt" && item.type !== "end");
    if (inside.length > 0) yield [turnLine(stretch, costs, frame), ...inside.flatMap(tell)];
    end = of(stretch, "end").flatMap(tell);
  }
  yield [...end, ...tailLines(shown, frame)];
}

/** A refusal that the refused call tells of. One that ends the run is told all the same. */
function isToldByCall(item: Item, items: readonly Item[]): boolean {
  const callId =
    item.type === "guardian" && item.intervention.level !== "halt" ? item.intervention.denies?.callId : undefined;
  return (
    callId !== undefined &&
    items.some((other) => other.type === "call" && other.callId === callId && other.blockedBy === "guardian")
  );
}

/** A prompt stands before the turn it begins, wherever the turns before it ended. */
function inTurns(items: readonly Repeated[]): readonly Repeated[] {
  return items.map((each, place) => {
    if (each.item.type !== "prompt") return each;
    const from = items.slice(place + 1).find(({ item }) => "turn" in item)?.from ?? each.from;
    return { ...each, from, to: from };
  });
}

function headLines({ sessionId, run, subagents }: RunSummary, { style, width }: Frame): readonly string[] {
  const took = run.endedAt === undefined ? [] : [`took ${duration(Math.max(0, run.endedAt - run.startedAt))}`];
  const begun = new Date(run.startedAt).toLocaleString("sv-SE");
  const agents =
    subagents.length === 0
      ? []
      : [`${counted(subagents.length, "subagent")}: ${subagents.map((child) => child.run.runId).join(", ")}`];
  const facts = [
    `run ${run.runId}`,
    `session ${sessionId}`,
    run.model,
    run.workspace,
    `begun ${begun}`,
    ...took,
    ...agents,
  ].filter((fact) => fact !== undefined);
  return plainLines(facts.map(plainText).join(" · "), width).map(style.dim);
}

function turnLine({ from, to }: Stretch, costs: Shown["costs"], { style }: Frame): string {
  const turns = from === to ? `turn ${from + 1}` : `turns ${from + 1}–${to + 1}`;
  const spent = Array.from({ length: to - from + 1 }, (_, place) => costs.get(from + place)).filter(
    (cost) => cost !== undefined,
  );
  if (spent.length === 0) return style.dim(turns);
  const sum = spent.reduce<number | null>((total, cost) => (total === null || cost === null ? null : total + cost), 0);
  return style.dim(`${turns} · ${sum === null ? "price unknown" : dollars(sum / 1e9)}`);
}

function itemLines(
  { item, times }: Repeated,
  { calls, heedOf }: Shown,
  { style, width, marks, isFull }: Frame,
): readonly string[] {
  const look: Look = {
    style,
    width: times === 1 ? width : width - String(times).length - 3,
    marks,
    verbose: isFull,
    callAt: (index) => calls[index],
  };
  const [first, ...rest] = linesOf(clip(item, isFull), look);
  if (first === undefined) return [];
  const heed = item.type === "guardian" ? heedWords(heedOf(item.intervention)) : undefined;
  return [
    times === 1 ? first : `${first}  ${style.bold(`×${times}`)}`,
    ...rest,
    ...(heed === undefined ? [] : wrap(heed, width - 4).map((line) => `  ${style.dim(`${marks.bar} ${line}`)}`)),
  ];
}

function heedWords({ heeded, recovered }: Heed): string | undefined {
  if (heeded === null) return recovered ? "The run came back on course." : undefined;
  if (!heeded) return "Not heeded: the same call came again, or nearly the same.";
  return recovered
    ? "Heeded: the next call was another, and the run came back on course."
    : "Heeded: the next call was another.";
}

/** What an end item does not say. */
function tailLines({ kept, here }: Shown, { style, width }: Frame): readonly string[] {
  const { state, run, turns, costNanoUsd } = kept;
  const spent = costNanoUsd === null ? "price unknown" : dollars(costNanoUsd / 1e9);
  const goOn = resumeHint(kept, here);
  return [
    ...(run.endedAt === undefined
      ? wrap(`${capital(describeState(state, run.reason))} (${counted(turns, "turn")}, ${spent}).`, width).map(
          style.yellow,
        )
      : []),
    ...(isLive(state) ? [style.dim(`To end it: sheepdog stop ${run.billingSessionId ?? run.runId}`)] : []),
    ...(goOn === undefined ? [] : [goOn]),
  ];
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
