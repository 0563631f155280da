import type { RunResult } from "@sheepdog/agent";
import { counted, dollars } from "../terminal/amounts.ts";

/** What a run cost with its subagents, in nano-dollars; null where a price is unknown. */
export function spentBy({
  costNanoUsd,
  costWithSubagentsNanoUsd,
}: Pick<RunResult, "costNanoUsd" | "costWithSubagentsNanoUsd">): number | null {
  return costWithSubagentsNanoUsd === undefined ? costNanoUsd : costWithSubagentsNanoUsd;
}

/** What a run took, in words: `2 turns, $0.012`. */
export function spentWords(result: Pick<RunResult, "turns" | "costNanoUsd" | "costWithSubagentsNanoUsd">): string {
  const spent = spentBy(result);
  const whose = result.costWithSubagentsNanoUsd === undefined ? "" : " with its subagents";
  return `${counted(result.turns, "turn")}, ${spent === null ? "price unknown" : dollars(spent / 1e9)}${whose}`;
}
