import { countEqual } from "../count-equal.ts";
import { failureWeight } from "../failing.ts";
import { type Detector, detectionOf } from "./detector.ts";

/** A call that the gate, a permission or a person refuses, made again all the same. */
export const denial: Detector<"denial"> = {
  name: "denial",
  reason: "denials",
  detect(comparison) {
    const { tool, outcome } = comparison.newest;
    if (outcome.status !== "denied") return undefined;
    return detectionOf(tool, countEqual(comparison, failureWeight));
  },
};
