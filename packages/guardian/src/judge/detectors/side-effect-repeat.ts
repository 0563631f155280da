import { similarity } from "../../perceive/sketch.ts";
import type { Observation } from "../../remembered-calls.ts";
import { isWrite } from "../../signal.ts";
import { countEqual, type Pair } from "../sight.ts";
import { type Detector, seenOf } from "./detector.ts";

/** A send or a change that succeeds again with the same identifying arguments. A person's turn excuses looking again, not acting again. */
export const sideEffectRepeat: Detector<"side-effect-repeat"> = {
  name: "side-effect-repeat",
  rungs: { hint: 3, block: 4, halt: 5 },
  reason: "side_effects",
  detect(sight) {
    const { newest } = sight;
    if (!isWrite(newest.kind) || newest.outcome.failure !== undefined) return undefined;
    return seenOf(newest.call.target ?? newest.call.loose, countEqual(sight, weightOf));
  },
};

/** Fresh ids in the answer make no other deed of it; in a batch only the identical call is the same. */
function weightOf(pair: Pair, newest: Observation): number {
  if (!isSameDeed(pair, newest)) return 0;
  if (pair.value > 0) return pair.weight;
  if (pair.turn === newest.turn) return pair.likeness === "same" ? 0.5 : 0;
  return pair.discount * (pair.likeness === "other" ? 0.7 : 1);
}

/** The same change, or a message to the same address in other words, that was acknowledged the same way; its fresh ids aside. */
function isSameDeed({ earlier, likeness, value }: Pair, newest: Observation): boolean {
  if (earlier === undefined || value > 0) return value > 0;
  if (earlier.tool !== newest.tool || earlier.outcome.failure !== undefined) return false;
  const isAcknowledgedSo =
    earlier.outcome.exact === newest.outcome.exact || earlier.outcome.shape === newest.outcome.shape;
  if (likeness === "same" || likeness === "near")
    return isAcknowledgedSo || similarity(newest.outcome.words, earlier.outcome.words) >= 0.8;
  if (!isAcknowledgedSo || newest.kind !== "send" || newest.call.target !== earlier.call.target) return false;
  return similarity(newest.call.words, earlier.call.words) >= (newest.call.target === undefined ? 0.2 : 0.4); // with no address at all, the words are but a note to the deed
}
