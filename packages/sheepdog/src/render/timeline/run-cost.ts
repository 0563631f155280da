import type { RunResult } from "@sheepdog/agent";
import { counted, dollars } from "../terminal/amounts.ts";

/** The cost of a run with its subagents, in nano-dollars; null if a price is unknown. */
export function totalCostNanoUsd({
  costNanoUsd,
  costWithSubagentsNanoUsd,
}: Pick<RunResult, "costNanoUsd" | "costWithSubagentsNanoUsd">): number | null {
  return costWithSubagentsNanoUsd === undefined ? costNanoUsd : costWithSubagentsNanoUsd;
}

/** The turns and the cost of a run: `2 turns, $0.012`. */
export function costSummary(result: Pick<RunResult, "turns" | "costNanoUsd" | "costWithSubagentsNanoUsd">): string {
  const nanoUsd = totalCostNanoUsd(result);
  const scope = result.costWithSubagentsNanoUsd === undefined ? "" : " with its subagents";
  return `${counted(result.turns, "turn")}, ${nanoUsd === null ? "price unknown" : dollars(nanoUsd / 1e9)}${scope}`;
}
