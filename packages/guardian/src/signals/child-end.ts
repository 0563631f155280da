import type { SignalOf } from "../signal.ts";
import { onActivity } from "../state/clock.ts";
import type { Draft } from "../state/draft.ts";
import { findSubagent, storeSubagent } from "./subagent-list.ts";

/** A subagent has ended, with findings of its own or without. Its usage may still be sent. */
export function onChildEnd(state: Draft, { id, findings }: SignalOf<"child-end">): void {
  const subagent = findSubagent(state, id);
  if (subagent.isOver) return; // it ends once
  const { stuck } = state.subagentTotals;
  state.subagentTotals = { ...state.subagentTotals, stuck: findings.length === 0 ? 0 : stuck + 1 };
  onActivity(state);
  storeSubagent(state, { ...subagent, isOver: true });
}
