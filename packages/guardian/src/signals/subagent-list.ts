import { bounds } from "../state/bounds.ts";
import type { Draft } from "../state/draft.ts";
import { type SubagentUsage, subagentKey } from "../state/subagents.ts";

/** The usage of a subagent; zero when it is not in the list. */
export function findSubagent({ subagents }: Draft, id: string): SubagentUsage {
  const key = subagentKey(id);
  return subagents.find((subagent) => subagent.id === key) ?? { id: key, tokens: 0, costNanoUsd: 0 };
}

/**
 * Stores a subagent as the newest. A full list drops one that has ended, or the oldest, and adds its usage to the
 * totals.
 */
export function storeSubagent(state: Draft, subagent: SubagentUsage): void {
  const subagents = [...state.subagents.filter(({ id }) => id !== subagent.id), subagent];
  if (subagents.length <= bounds.subagents) {
    state.subagents = subagents;
    return;
  }
  const dropped = subagents.find(({ isOver }) => isOver) ?? subagents[0];
  if (dropped !== undefined) addToTotals(state, dropped.id);
  state.subagents = subagents.filter((other) => other !== dropped);
}

/** Adds a subagent's usage to the totals. */
export function addToTotals(state: Draft, key: string): void {
  const subagent = state.subagents.find(({ id }) => id === key);
  if (subagent === undefined) return;
  const { tokens, costNanoUsd } = state.subagentTotals;
  state.subagentTotals = {
    ...state.subagentTotals,
    tokens: tokens + subagent.tokens,
    costNanoUsd: costNanoUsd + subagent.costNanoUsd,
  };
}
