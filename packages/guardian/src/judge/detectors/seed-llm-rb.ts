import { bounds } from "../../bounds.ts";
import { planOf } from "../sequence.ts";
import type { Watcher } from "./detector.ts";

/** How often a pattern of tool calls stands at the end before the guard speaks, where nothing else is said. */
export const DEFAULT_THRESHOLD = 3;

/** llm.rb: the tail of all calls repeats, with any period; looked at before the calls of a reply are made, and all of them are refused. Counts repetitions. */
export const seedLlmRb: Watcher<"seed-llm-rb", "call"> = {
  name: "seed-llm-rb",
  rungs: { block: DEFAULT_THRESHOLD, halt: 25 },
  reason: "doom_loop",
  on: "call",
  notice(state, { of }, { detectors }) {
    const plan = planOf(state, of);
    if (plan === undefined) return undefined;
    const { calls, pending, tool, call } = plan;
    const prints = calls.map(({ print }) => print);
    const threshold = detectors["seed-llm-rb"]?.block ?? DEFAULT_THRESHOLD;
    const found = tailRepetitions(prints, threshold);
    if (found === undefined) return undefined;
    const evidence = calls
      .slice(-Math.min(bounds.evidence, found.period * found.repetitions))
      .map(({ index }) => index);
    // What was refused counts once: with its episode.
    const denials = state.episodes.find(({ detector }) => detector === "seed-llm-rb")?.denials ?? 0;
    const count = Math.max(threshold, found.repetitions - denials);
    return { cause: "", count, times: found.repetitions, period: found.period, evidence, pending, tool, call };
  },
};

/** A tail that repeats: `period` keys, `repetitions` times in a row. */
export interface TailRepetitions {
  readonly repetitions: number;
  readonly period: number;
}

/**
 * The shortest pattern that stands at least `threshold` times in a row at the end of the keys, with all its repetitions (llm.rb).
 * `threshold` is a whole number from 2 up: once, everything stands. Long histories are cheap: a wrong period soon differs, and where many agree for long a shorter one is right.
 */
export function tailRepetitions(keys: readonly string[], threshold: number): TailRepetitions | undefined {
  const newest = keys.length - 1;
  for (let period = 1; period * threshold <= keys.length; period++) {
    let equal = 0;
    while (equal + period <= newest && keys[newest - equal] === keys[newest - equal - period]) equal++;
    const repetitions = 1 + Math.floor(equal / period);
    if (repetitions >= threshold) return { repetitions, period };
  }
  return undefined;
}

/** Refuses a threshold that no tail could mean. */
export function checkThreshold(threshold: number): void {
  if (!Number.isInteger(threshold) || threshold < 2)
    throw new RangeError(
      `Expected a threshold that is a whole number from 2 up (1 would block every call), got ${String(threshold)}.`,
    );
}
