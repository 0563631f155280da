/** The part of an axis that is shown, from 0 to `max`, and the round values that are marked on it. */
export interface Scale {
  readonly max: number;
  readonly step: number;
  readonly ticks: readonly number[];
}

const stepSizes = [1, 2, 5, 10];

/** A scale from 0 to a mark at or above the highest value, with about `count` steps. Calls have whole steps. */
export function scaleTo(
  highest: number,
  { count, isWhole }: { readonly count: number; readonly isWhole: boolean },
): Scale {
  const top = Number.isFinite(highest) && highest > 0 ? highest : 1;
  const power = 10 ** Math.floor(Math.log10(top / count));
  const size = stepSizes.find((each) => each * power * count >= top * 0.999) ?? 10;
  const step = isWhole ? Math.max(1, Math.round(size * power)) : size * power;
  const steps = Math.max(1, Math.ceil((top / step) * 0.999));
  return { max: steps * step, step, ticks: Array.from({ length: steps + 1 }, (_, index) => index * step) };
}

/** A share of the axis as a percentage that SVG reads. */
export function share(amount: number, max: number): number {
  return max > 0 ? Number(((100 * Math.min(Math.max(amount, 0), max)) / max).toFixed(3)) : 0;
}
