import type { InterventionView, Level } from "../../../contract/index.ts";
import type { Axis } from "./axis.ts";
import type { Call, CallKind } from "./call.ts";
import type { Item } from "./item.ts";
import type { Point } from "./run-model.ts";

/** Drawings are 1,000 units wide and are stretched to the width of their lane. */
const DRAWING_WIDTH = 1_000;

/** Bars of the lane of calls: one path for each kind, however many calls there are. */
export interface CallPaths {
  readonly kinds: Readonly<Record<CallKind, string>>;
  readonly failed: string;
  readonly refused: string;
}

interface CallPathOptions {
  readonly base: number;
  readonly maxHeight: number;
  /** The width of the lane in pixels: bars of the same pixel are merged. */
  readonly columns: number;
  readonly now: number;
}

const FAIL_HEIGHT = 8;
const REFUSED_HEIGHT = 30;
/** Units. A bar is never narrower, so that every failure can be seen. */
const MIN_WIDTH = 0.9;

/** Draws calls as bars: height by duration, failures below the base line, refused calls as outlines. */
export function callPaths(calls: readonly Call[], axis: Axis, options: CallPathOptions): CallPaths {
  const { base, maxHeight, columns, now } = options;
  const longestMs = calls.reduce((longest, { ms }) => Math.max(longest, ms ?? 0), 1_000);
  const unit = DRAWING_WIDTH / Math.max(1, columns);
  const kinds: Record<CallKind, Bar[]> = { read: [], edit: [], run: [], poll: [] };
  const failed: Bar[] = [];
  const refused: Bar[] = [];
  for (const call of calls) {
    const from = axis.x(call.at) * 10;
    const to = axis.x(call.at + (call.ms ?? Math.max(0, now - call.at))) * 10;
    if (to < 0 || from > DRAWING_WIDTH) continue;
    const width = Math.max(MIN_WIDTH, to - from);
    if (call.refusedBy !== null) {
      addBar(refused, { x: from, width: Math.max(MIN_WIDTH, unit * 4), height: REFUSED_HEIGHT }, unit);
      continue;
    }
    const share = Math.log1p((call.ms ?? now - call.at) / 250) / Math.log1p(longestMs / 250);
    addBar(kinds[call.kind], { x: from, width, height: 4 + Math.min(1, share) * (maxHeight - 4) }, unit);
    if (call.isFailed) addBar(failed, { x: from, width, height: FAIL_HEIGHT }, unit);
  }
  const up = (bars: readonly Bar[]) =>
    bars.map(({ x, width, height }) => box(x, base - height, width, height)).join("");
  return {
    kinds: { read: up(kinds.read), edit: up(kinds.edit), run: up(kinds.run), poll: up(kinds.poll) },
    failed: failed.map(({ x, width, height }) => box(x, base + 3, width, height)).join(""),
    refused: up(refused),
  };
}

interface Bar {
  x: number;
  width: number;
  height: number;
}

/** Adds a bar, or makes the last one higher if both begin in the same pixel. */
function addBar(bars: Bar[], bar: Bar, unit: number): void {
  const last = bars.at(-1);
  const isSamePixel = last !== undefined && Math.floor(last.x / unit) === Math.floor(bar.x / unit);
  if (!isSamePixel) {
    bars.push(bar);
    return;
  }
  last.height = Math.max(last.height, bar.height);
  last.width = Math.max(last.width, bar.x + bar.width - last.x);
}

function box(x: number, y: number, width: number, height: number): string {
  return `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A curve: the line, and the area between it and the base. */
export interface Curve {
  readonly line: string;
  readonly area: string;
}

interface CurveOptions {
  readonly height: number;
  /** The value at the top. */
  readonly max: number;
  readonly columns: number;
  /** Only this part of the time. */
  readonly from?: number;
  readonly to?: number;
  /** The value stays until the next point: money is spent when a request ends, not in between. */
  readonly isStepped?: boolean;
}

/** Draws a series of values over time, with at most the lowest and the highest of each pixel. */
export function curve(points: readonly Point[], axis: Axis, options: CurveOptions): Curve {
  const { height, max, columns, from = -Infinity, to = Infinity, isStepped = false } = options;
  const unit = DRAWING_WIDTH / Math.max(1, columns);
  const places: (readonly [number, number])[] = [];
  let pixel = -1;
  let inPixel = 0;
  for (const { at, value } of points) {
    if (at < from || at > to) continue;
    const x = axis.x(at) * 10;
    const y = height - (value / Math.max(1e-9, max)) * height;
    const column = Math.floor(x / unit);
    inPixel = column === pixel ? inPixel + 1 : 0;
    pixel = column;
    if (inPixel >= 3) places.pop(); // the newest value of the pixel stays
    places.push([x, y]);
  }
  const [first] = places;
  const last = places.at(-1);
  if (first === undefined || last === undefined) return { line: "", area: "" };
  const line = places
    .map(([x, y], index) => {
      if (index === 0) return `M${round(x)} ${round(y)}`;
      return isStepped ? `H${round(x)}V${round(y)}` : `L${round(x)} ${round(y)}`;
    })
    .join("");
  return { line, area: `${line}L${round(last[0])} ${height}L${round(first[0])} ${height}Z` };
}

/** A bar of the guardian's lane: from one step of an episode to the next. */
export interface EpisodeBar {
  readonly level: Level;
  readonly from: number;
  readonly to: number;
  /** The guardian only watched: the intervention would have acted. */
  readonly isWould: boolean;
  readonly seq: number;
}

/** The bars of all episodes. After the answer "let it continue" an episode is only watched. */
export function episodeBars(
  interventions: readonly InterventionView[],
  items: readonly Item[],
  endAt: number,
): readonly EpisodeBar[] {
  const recoveredAt = new Map(
    items.flatMap((item) => (item.type === "recovered" ? [[item.episode, item.at] as const] : [])),
  );
  const steps = interventions.filter(({ isLimit }) => !isLimit);
  return [...new Set(steps.map(({ episode }) => episode))].flatMap((episode) =>
    barsOfEpisode(
      steps.filter((step) => step.episode === episode),
      recoveredAt.get(episode) ?? endAt,
    ),
  );
}

function barsOfEpisode(steps: readonly InterventionView[], endAt: number): readonly EpisodeBar[] {
  const lastAt = Math.max(endAt, steps.at(-1)?.at ?? 0);
  return steps.flatMap(({ level, at, isApplied, answer, seq }, index): EpisodeBar[] => {
    const to = steps[index + 1]?.at ?? lastAt;
    const isMuted = answer?.answer === "continue" && answer.at < to;
    if (!isMuted || !isApplied) return [{ level, from: at, to, isWould: !isApplied, seq }];
    return [
      { level, from: at, to: answer.at, isWould: false, seq },
      { level, from: answer.at, to, isWould: true, seq },
    ];
  });
}

/** The first time at which the guardian would have ended the run, but only watched. */
export function wouldHaveEnded(interventions: readonly InterventionView[]): InterventionView | undefined {
  return interventions.find(({ level, isApplied, isLimit }) => level === "halt" && !isApplied && !isLimit);
}
