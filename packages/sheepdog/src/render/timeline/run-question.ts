import type { RunQuestion } from "@sheepdog/agent";
import { limitUnits } from "../../config/policy/limit-units.ts";
import { costSummary } from "./run-cost.ts";

/** How far the run is: `5 turns, $0.021 so far.` */
export function questionStatus(question: Pick<RunQuestion, "turns" | "costNanoUsd">): string {
  return `${costSummary(question)} so far.`;
}

/** The answer "continue", with the raised limit if there is one: `continue up to 50 turns`. */
export function continueChoice({ ifContinued }: Pick<RunQuestion, "ifContinued">): string {
  if (ifContinued.type === "mute") return "continue";
  const { limit, stop = 0 } = ifContinued;
  return `continue up to ${limitUnits[limit].show(stop)}${limit === "turns" ? " turns" : ""}`;
}
