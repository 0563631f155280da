import type { Totals } from "@sheepdog/records";
import { counted, dollars } from "../../render/terminal/amounts.ts";

/** The sums over all runs in one sentence. */
export function totalsSentence(totals: Totals): string {
  const { runs, calls, turns, costUsd, unpricedTokens, stuckRuns, stuckCalls, stuckCostUsd } = totals;
  const cost = costUsd === null ? "cost not recorded" : dollars(costUsd);
  const unpriced = unpricedTokens === 0 ? "" : ` and ${counted(unpricedTokens, "token")} without a price`;
  const stuckCost = stuckCostUsd === null || stuckCostUsd === 0 ? "" : `, ${dollars(stuckCostUsd)} of the cost`;
  const stuck =
    stuckRuns === 0
      ? "none was stuck"
      : `${stuckRuns.toLocaleString("en-US")} stuck for ${counted(stuckCalls, "call")}${stuckCost}`;
  return `${counted(runs, "run")} with ${counted(calls, "call")} in ${counted(turns, "turn")}, ${cost}${unpriced}; ${stuck}.`;
}
