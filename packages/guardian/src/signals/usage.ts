import { recordUsage } from "../limits/meters.ts";
import { isAmount } from "../policy/amount.ts";
import type { SignalOf } from "../signal.ts";
import type { Draft } from "../state/draft.ts";
import { addToTotals, findSubagent, storeSubagent } from "./subagent-list.ts";

/** Records the totals of the run itself or of a subagent. */
export function onUsage(state: Draft, signal: SignalOf<"usage">): void {
  if (signal.child === undefined) recordUsage(state, signal);
  else recordSubagentUsage(state, signal.child, signal);
}

/**
 * The subagent may have ended already, or may not have been announced. A total that falls belongs to another subagent.
 */
function recordSubagentUsage(state: Draft, id: string, { used, isPriced }: SignalOf<"usage">): void {
  const previous = findSubagent(state, id);
  const tokens = amountOr(previous.tokens, used["run-tokens"]);
  const costNanoUsd = amountOr(previous.costNanoUsd, used["run-cost"]);
  if (tokens < previous.tokens || costNanoUsd < previous.costNanoUsd) addToTotals(state, previous.id);
  if (!isPriced) state.subagentTotals = { ...state.subagentTotals, isUnpriced: true };
  storeSubagent(state, { ...previous, tokens, costNanoUsd });
}

function amountOr(previous: number, total: unknown): number {
  return isAmount(total) ? total : previous;
}
