import { isWrite } from "../../perceive/kind.ts";
import { similarity } from "../../perceive/sketch.ts";
import { countEqual, type Pair } from "../sight.ts";
import type { Detector } from "./detector.ts";
import { found } from "./found.ts";

/** A send or a change that succeeds again with the same identifying arguments. A person's turn excuses looking again, not acting again. */
export const sideEffectRepeat: Detector = (sight) => {
  const { newest } = sight;
  if (!isWrite(newest.kind) || newest.outcome.failure !== undefined) return undefined;
  const isSameDeed = ({ earlier, likeness, value }: Pair) => {
    if (earlier === undefined) return value === 1;
    if (earlier.tool !== newest.tool || earlier.outcome.failure !== undefined) return false;
    if (likeness === "same" || likeness === "near") return value > 0 || earlier.outcome.shape === newest.outcome.shape;
    return (
      newest.kind === "send" &&
      newest.call.target === earlier.call.target &&
      earlier.outcome.shape === newest.outcome.shape &&
      similarity(newest.call.words, earlier.call.words) >= 0.3
    );
  };
  const seen = countEqual(sight, (pair) => (!isSameDeed(pair) ? 0 : pair.value === 0 ? 1 : pair.weight));
  return seen.count < 2 ? undefined : found("side-effect-repeat", sight, { ...seen, cause: newest.call.target ?? newest.call.loose });
};
