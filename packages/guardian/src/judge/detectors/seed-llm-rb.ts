import { bounds } from "../../state.ts";
import { callsToCome } from "../sequence.ts";
import type { Watcher } from "./detector.ts";

/** llm.rb: the tail of all calls repeats, with any period; looked at before the calls of a reply are made, and all of them are refused. Counts repetitions. */
export const seedLlmRb: Watcher<"seed-llm-rb", "call"> = {
  name: "seed-llm-rb",
  rungs: { block: 3, halt: 25 },
  reason: "doom_loop",
  on: "call",
  notice(state, { of }, { detectors }) {
    const coming = callsToCome(state, of);
    const threshold = detectors["seed-llm-rb"]?.block ?? 3;
    const found =
      coming &&
      tailRepetitions(
        coming.calls.map(({ print }) => print),
        threshold,
      );
    if (coming === undefined || found === undefined) return undefined;
    const evidence = coming.calls.slice(-Math.min(bounds.evidence, found.period * found.repetitions)).map(({ index }) => index);
    return { cause: "", count: found.repetitions, period: found.period, evidence, pending: coming.pending, tool: state.open.at(-1)?.tool ?? "" };
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
