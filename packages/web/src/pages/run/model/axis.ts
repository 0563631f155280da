/** A stretch of time. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A mark on the axis, in percent of its width. */
interface Tick {
  readonly at: number;
  readonly x: number;
}

/** The time axis that all lanes share. */
export interface Axis {
  readonly domain: Span;
  /** The place of a time, in percent; outside of the domain below 0 or above 100. */
  readonly x: (at: number) => number;
  /** The time at a place in percent. */
  readonly time: (x: number) => number;
  readonly ticks: readonly Tick[];
  /** The time between two ticks. */
  readonly stepMs: number;
  /** The stretches that are compressed, with their places. */
  readonly folds: readonly (Span & { readonly fromX: number; readonly toX: number })[];
  readonly foldedMs: number;
}

export interface AxisOptions {
  readonly domain: Span;
  /** The stretches to compress; empty for an axis that is true to scale. */
  readonly folds?: readonly Span[];
  /** How many ticks fit; default 8. */
  readonly maxTicks?: number;
  /** Minutes of local time ahead of UTC, so that ticks are at full hours. */
  readonly offsetMinutes?: number;
}

/** All folds together take at most this share of the width. */
const FOLDED_SHARE = 0.22;
/** Percent of the width between two words below the axis. */
const MIN_TICK_GAP = 5;
/** Words nearer to an end would be cut. */
const FIRST_TICK = 1.5;
const LAST_TICK = 98.5;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12, 24, 48].map((n) => n * HOUR),
];

const LONGEST_STEP = 7 * 24 * HOUR;

interface Piece extends Span {
  readonly fromX: number;
  readonly toX: number;
  readonly isFold: boolean;
}

/** Creates an axis: true to scale, or with some stretches compressed. */
export function createAxis({ domain, folds = [], maxTicks = 8, offsetMinutes = 0 }: AxisOptions): Axis {
  const span = { from: domain.from, to: Math.max(domain.to, domain.from + 1) };
  const pieces = piecesOf(span, clipped(folds, span));
  const x = (at: number) => {
    const piece = pieces.find(({ to }) => at <= to) ?? pieces.at(-1);
    if (piece === undefined) return 0;
    const share = (at - piece.from) / Math.max(1, piece.to - piece.from);
    return piece.fromX + share * (piece.toX - piece.fromX);
  };
  const time = (place: number) => {
    const piece = pieces.find(({ toX }) => place <= toX) ?? pieces.at(-1);
    if (piece === undefined) return span.from;
    const share = (place - piece.fromX) / Math.max(1e-9, piece.toX - piece.fromX);
    return piece.from + share * (piece.to - piece.from);
  };
  const open = pieces.filter(({ isFold }) => !isFold);
  const openMs = open.reduce((sum, { from, to }) => sum + to - from, 0);
  const openX = open.reduce((sum, { fromX, toX }) => sum + toX - fromX, 0);
  const stepMs = steps.find((step) => openMs / step <= (maxTicks * openX) / 100) ?? LONGEST_STEP;
  const folded = pieces.filter(({ isFold }) => isFold);
  return {
    domain: span,
    x,
    time,
    stepMs,
    ticks: ticksOf(open, { stepMs, offsetMs: offsetMinutes * MINUTE, x }),
    folds: folded.map(({ from, to, fromX, toX }) => ({ from, to, fromX, toX })),
    foldedMs: folded.reduce((sum, { from, to }) => sum + to - from, 0),
  };
}

function clipped(folds: readonly Span[], { from, to }: Span): readonly Span[] {
  return folds
    .map((fold) => ({ from: Math.max(from, fold.from), to: Math.min(to, fold.to) }))
    .filter((fold) => fold.to > fold.from)
    .sort((a, b) => a.from - b.from);
}

function piecesOf({ from, to }: Span, folds: readonly Span[]): readonly Piece[] {
  const foldedMs = folds.reduce((sum, fold) => sum + fold.to - fold.from, 0);
  const totalMs = to - from;
  const foldedShare = totalMs === foldedMs ? 1 : Math.min(FOLDED_SHARE, foldedMs / totalMs);
  const openScale = (1 - foldedShare) / Math.max(1, totalMs - foldedMs);
  const foldScale = foldedShare / Math.max(1, foldedMs);
  const pieces: Piece[] = [];
  let at = from;
  let x = 0;
  const add = (until: number, isFold: boolean) => {
    if (until <= at) return;
    const toX = x + (until - at) * (isFold ? foldScale : openScale) * 100;
    pieces.push({ from: at, to: until, fromX: x, toX, isFold });
    at = until;
    x = toX;
  };
  for (const fold of folds) {
    add(fold.from, false);
    add(fold.to, true);
  }
  add(to, false);
  return pieces;
}

function ticksOf(
  pieces: readonly Piece[],
  { stepMs, offsetMs, x }: { readonly stepMs: number; readonly offsetMs: number; readonly x: (at: number) => number },
): readonly Tick[] {
  const ticks: Tick[] = [];
  for (const { from, to, fromX, toX } of pieces) {
    const isNarrow = toX - fromX < MIN_TICK_GAP;
    const isVisible = (at: number) => at <= to && x(at) > FIRST_TICK && x(at) < LAST_TICK;
    const fitting = isNarrow
      ? undefined
      : steps.findLast((each) => each <= stepMs && isVisible(firstTick(from, each, offsetMs)));
    const step = fitting ?? stepMs; // a short piece has at least one tick
    for (let at = firstTick(from, step, offsetMs); at <= to; at += step) {
      const place = x(at);
      const last = ticks.at(-1);
      const isFree = last === undefined || place - last.x >= MIN_TICK_GAP;
      if (isVisible(at) && isFree) ticks.push({ at, x: place });
    }
  }
  return ticks;
}

/** The first full step at or after a time, by the local clock. */
function firstTick(from: number, stepMs: number, offsetMs: number): number {
  return Math.ceil((from + offsetMs) / stepMs) * stepMs - offsetMs;
}

/** The end of the axis of a live run: it grows in steps, so that the lanes do not move with every event. */
export function steppedEnd(startedAt: number, now: number): number {
  const elapsed = Math.max(20 * SECOND, now - startedAt);
  const power = 2 ** Math.floor(Math.log2(elapsed));
  const step = power / 4;
  return startedAt + Math.ceil((elapsed * 1.02) / step) * step;
}
