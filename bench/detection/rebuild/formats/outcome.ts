import type { Json } from "../json.ts";
import type { Outcome } from "../parsed-run.ts";

/** The outcome by a verdict of the source: true is a success, and a missing verdict is unknown. */
export function outcomeOf(isSuccess: Json | undefined): Outcome {
  if (isSuccess === undefined || isSuccess === null) return "unknown";
  return isSuccess ? "success" : "fail";
}

/** The outcome by a reward: 1 is a success, less is not, and a missing reward is unknown. */
export function outcomeOfReward(reward: Json | undefined): Outcome {
  return outcomeOf(typeof reward === "number" ? reward >= 1 : null);
}
