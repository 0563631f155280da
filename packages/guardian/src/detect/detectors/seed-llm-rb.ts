import { DEFAULT_THRESHOLD } from "../../policy/seed-policies.ts";
import { bounds } from "../../state/bounds.ts";
import { planCalls } from "../call-sequence.ts";
import type { Watcher } from "./detector.ts";

/**
 * llm.rb: the newest calls repeat a pattern of any length, checked before the calls of a reply are made.
 * All of them are refused. Counts repetitions.
 */
export const seedLlmRb: Watcher<"seed-llm-rb", "call"> = {
  name: "seed-llm-rb",
  reason: "doom_loop",
  on: "call",
  notice(state, { of }, { detectors }) {
    const plan = planCalls(state, of);
    if (plan === undefined) return undefined;
    const { calls, pendingIds, tool, lastCall } = plan;
    const threshold = detectors["seed-llm-rb"]?.block ?? DEFAULT_THRESHOLD;
    const tail = tailRepetitions(
      calls.map(({ print }) => print),
      threshold,
    );
    if (tail === undefined) return undefined;
    const { period, repetitions } = tail;
    const evidence = calls.slice(-Math.min(bounds.evidence, period * repetitions)).map(({ index }) => index);
    // Refused calls are counted by their episode already.
    const denials = state.episodes.find(({ detector }) => detector === "seed-llm-rb")?.denials ?? 0;
    const count = Math.max(threshold, repetitions - denials);
    return { cause: "", count, repetitions, period, evidence, pendingIds, tool, call: lastCall };
  },
};

/** A tail that repeats: `period` keys, `repetitions` times in a row. */
export interface TailRepetitions {
  readonly repetitions: number;
  readonly period: number;
}

/**
 * The shortest pattern that occurs at least `threshold` times in a row at the end of the keys (llm.rb).
 * `threshold` is a whole number from 2 up.
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
