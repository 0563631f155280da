/** The part of an axis that is shown, from 0 to `max`, and the round values that are marked on it. */
export interface Scale {
  readonly max: number;
  readonly step: number;
  readonly ticks: readonly number[];
}

const stepSizes = [1, 2, 2.5, 5, 10];

/**
 * A scale that reaches from 0 to at least `highest`, with about `count` steps of 1, 2, 2.5 or 5 times a power of ten.
 * It ends on a tick, unless `headroom` asks for a share of empty space above the highest value instead.
 */
export function scaleTo(highest: number, { count = 4, headroom, minStep = 0 }: ScaleOptions = {}): Scale {
  const top = Number.isFinite(highest) && highest > 0 ? highest : Math.max(1, minStep);
  const step = roundStep(top / count, minStep);
  const steps =
    headroom === undefined ? Math.ceil(round(top / step)) : Math.floor(round((top * (1 + headroom)) / step));
  return {
    max: headroom === undefined ? round(steps * step) : top * (1 + headroom),
    step,
    ticks: Array.from({ length: steps + 1 }, (_, index) => round(index * step)),
  };
}

interface ScaleOptions {
  readonly count?: number;
  readonly headroom?: number;
  /** The smallest step that makes sense: 1 for things that are counted. */
  readonly minStep?: number;
}

/** Where a value stands on the scale, from 0 to 100. */
export function shareOf(scale: Scale, value: number): number {
  return round((Math.min(Math.max(value, 0), scale.max) / scale.max) * 100, 3);
}

/** Dollars at a tick: "$20", and "$0.50" where the steps are smaller than a dollar. */
export function usdTick(value: number, step: number): string {
  const digits = Number.isInteger(step) ? 0 : Math.max(2, Math.ceil(-Math.log10(step)) + (isQuarterStep(step) ? 1 : 0));
  return `$${value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

const LEAST_AXIS_PX = 46;
const CHARACTER_PX = 6.5;

/** The space left of a chart that its widest label needs, as a length of CSS. */
export function axisWidth(labels: readonly string[]): string {
  const longest = Math.max(0, ...labels.map(({ length }) => length));
  return `${Math.max(LEAST_AXIS_PX, Math.ceil(16 + longest * CHARACTER_PX))}px`;
}

function roundStep(least: number, minStep: number): number {
  const wanted = Math.max(least, minStep);
  const power = 10 ** Math.floor(Math.log10(wanted));
  const size = stepSizes.find((each) => each * power >= wanted * 0.999 && isWhole(each * power, minStep)) ?? 10;
  return round(size * power);
}

/** Things that are counted have whole ticks. */
function isWhole(step: number, minStep: number): boolean {
  return minStep < 1 || Number.isInteger(round(step));
}

function isQuarterStep(step: number): boolean {
  return Math.round((step / 10 ** Math.floor(Math.log10(step))) * 10) % 10 !== 0;
}

function round(value: number, digits = 9): number {
  return Number(value.toFixed(digits));
}
