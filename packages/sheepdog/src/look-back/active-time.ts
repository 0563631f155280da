/** A longer pause between two entries counts as this much, as for limits: nobody was at work while a laptop slept. */
const MAX_GAP_MS = 30_000;

/** The time between the first and the last of these moments, with long pauses cut; null without a moment. */
export function activeTime(moments: readonly number[]): number | null {
  if (moments.length === 0) return null;
  let ms = 0;
  let previous: number | undefined;
  for (const at of moments.toSorted((a, b) => a - b)) {
    if (previous !== undefined) ms += Math.min(at - previous, MAX_GAP_MS);
    previous = at;
  }
  return ms;
}
