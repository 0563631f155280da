import type { Observation, UncomparedCall } from "../state/observation.ts";

/** Whether the same move had another answer before: its answers show where it leads, and an equal one is no news. */
export function hasOtherAnswer(history: readonly Observation[], { kind, call, outcome }: UncomparedCall): boolean {
  if (kind !== "move") return false;
  return history.some((earlier) => earlier.call.exact === call.exact && earlier.outcome.masked !== outcome.masked);
}

/**
 * Whether the newest call and the two calls before it, not all of them equal, were made before in the same order with
 * the same outcomes. Then even moves and bare acknowledgements lead nowhere.
 */
export function isLap(history: readonly Observation[], position: number, newest: UncomparedCall): boolean {
  if (history[position]?.call.exact !== newest.call.exact) return false;
  const lap = [newest, history.at(-1), history.at(-2)];
  const earlierLap = [history[position], history[position - 1], history[position - 2]];
  if (new Set(lap.map((call) => call?.call.exact)).size < 2) return false;
  return lap.every((call, i) => {
    const before = earlierLap[i];
    return call?.call.exact === before?.call.exact && call?.outcome.masked === before?.outcome.masked;
  });
}
