import { similarity } from "../../perceive/sketch.ts";
import { isWrite } from "../../perceive/tool-kind.ts";
import type { Observation } from "../../state/observation.ts";
import type { Pair } from "../comparison.ts";
import { countEqual } from "../count-equal.ts";
import { type Detector, detectionOf } from "./detector.ts";

/**
 * A message or a change that succeeds again with the same identifying arguments.
 * A person's message excuses looking again, not acting again.
 */
export const sideEffectRepeat: Detector<"side-effect-repeat"> = {
  name: "side-effect-repeat",
  reason: "side_effects",
  detect(comparison) {
    const { kind, outcome, call } = comparison.newest;
    if (!isWrite(kind) || outcome.failure !== undefined) return undefined;
    return detectionOf(
      call.target ?? call.loose,
      countEqual(comparison, actionWeight, ({ isSameCall, isAfterNews }) => isSameCall && !isAfterNews),
    );
  },
};

/** Fresh ids in the answer do not make it another action. In a batch only the identical call is the same action. */
function actionWeight(pair: Pair, newest: Observation): number {
  if (pair.value > 0) return pair.weight;
  if (pair.earlier === undefined || !isSameAction(pair.earlier, pair.likeness, newest)) return 0;
  if (pair.turn === newest.turn) return pair.likeness === "same" ? 0.5 : 0;
  return pair.discount * (pair.likeness === "other" ? 0.7 : 1);
}

/**
 * The same change, or a message to the same address in other words, with the same acknowledgement apart from ids. A
 * message with other figures reports something else: "3 of 20 done", "4 of 20 done".
 */
function isSameAction(earlier: Observation, likeness: Pair["likeness"], newest: Observation): boolean {
  if (earlier.tool !== newest.tool || earlier.outcome.failure !== undefined) return false;
  const isSameAck = earlier.outcome.exact === newest.outcome.exact || earlier.outcome.shape === newest.outcome.shape;
  if (likeness === "same" || likeness === "near")
    return isSameAck || similarity(newest.outcome.words, earlier.outcome.words) >= 0.8;
  if (!isSameAck || newest.kind !== "send" || newest.call.target !== earlier.call.target) return false;
  if (newest.call.figures !== earlier.call.figures) return false;
  const minSimilarity = newest.call.target === undefined ? 0.2 : 0.4; // without an address, the text says little
  return similarity(newest.call.words, earlier.call.words) >= minSimilarity;
}
