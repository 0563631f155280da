const firstMs = 1_000;
const maxMs = 10 * 60_000;
/** A server that asks for a longer wait is tried all the same: it may have made a mistake. */
const maxAskedMs = 60 * 60_000;

/**
 * How long to wait after a failed attempt: twice as long each time, or as long as the server asks for. `random` is from
 * 0 to 1: several processes do not try at the same moment.
 */
export function backOffMs(attempts: number, askedMs: number | undefined, random: number): number {
  const growing = Math.min(firstMs * 2 ** Math.min(attempts, 20), maxMs);
  const spread = growing * (0.75 + random / 2);
  return Math.max(spread, Math.min(askedMs ?? 0, maxAskedMs));
}
