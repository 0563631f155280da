import type { SignalOf } from "../signal.ts";
import { bounds } from "../state/bounds.ts";
import { onActivity } from "../state/clock.ts";
import type { Draft } from "../state/draft.ts";
import { subagentKey } from "../state/subagents.ts";
import { addToTotals, storeSubagent } from "./subagent-list.ts";

/** A subagent is about to start. An earlier one with the same id is another one; its usage goes to the totals. */
export function onChildStart(state: Draft, { id, depth }: SignalOf<"child-start">): void {
  const key = subagentKey(id);
  addToTotals(state, key);
  const { started, starts } = state.subagentTotals;
  state.subagentTotals = {
    ...state.subagentTotals,
    started: started + 1,
    starts: [...starts, [state.clock.elapsedMs, depth] as const].slice(-bounds.subagentStarts),
  };
  onActivity(state);
  storeSubagent(state, { id: key, tokens: 0, costNanoUsd: 0 });
}
