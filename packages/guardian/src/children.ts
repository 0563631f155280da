import { bounds } from "./bounds.ts";
import { type Child, childKey } from "./brood.ts";
import type { Draft } from "./draft.ts";
import { withNewest } from "./newest.ts";
import type { SignalOf } from "./signal.ts";
import { alive } from "./time.ts";
import { isAmount } from "./well-formed.ts";

/** A subagent is about to begin. One that had the same id before is another one. */
export function onChildStart(state: Draft, { id, depth }: SignalOf<"child-start">): void {
  book(state, childKey(id));
  const { started, starts } = state.subagentTotals;
  state.subagentTotals = {
    ...state.subagentTotals,
    started: started + 1,
    starts: withNewest(starts, [state.clock.elapsedMs, depth] as const, bounds.starts),
  };
  alive(state);
  keep(state, { id: childKey(id), tokens: 0, costNanoUsd: 0 });
}

/** A subagent has ended, with findings of its own or without; it ends once. What it used stays with the run, and may still be told. */
export function onChildEnd(state: Draft, { id, findings }: SignalOf<"child-end">): void {
  const child = childOf(state, id);
  if (child.isOver) return;
  state.subagentTotals = { ...state.subagentTotals, stuck: findings.length === 0 ? 0 : state.subagentTotals.stuck + 1 };
  alive(state);
  keep(state, { ...child, isOver: true });
}

/** What a subagent has used in all, also after it has ended, and also where nobody had said that it began. A total that falls is another one's. */
export function onChildUsage(state: Draft, id: string, { used, isPriced }: SignalOf<"usage">): void {
  const known = childOf(state, id);
  const told = {
    ...known,
    tokens: amount(used["run-tokens"], known.tokens),
    costNanoUsd: amount(used["run-cost"], known.costNanoUsd),
  };
  if (told.tokens < known.tokens || told.costNanoUsd < known.costNanoUsd) book(state, known.id);
  if (!isPriced) state.subagentTotals = { ...state.subagentTotals, isUnpriced: true };
  keep(state, told);
}

function amount(told: unknown, known: number): number {
  return isAmount(told) ? told : known;
}

function childOf({ subagents }: Draft, id: string): Child {
  return subagents.find((child) => child.id === childKey(id)) ?? { id: childKey(id), tokens: 0, costNanoUsd: 0 };
}

/** The child is the newest of those kept; those that have ended are forgotten first. What the forgotten have used is counted on. */
function keep(state: Draft, child: Child): void {
  const children = [...state.subagents.filter(({ id }) => id !== child.id), child];
  const oldest = children.length <= bounds.children ? undefined : (children.find((each) => each.isOver) ?? children[0]);
  if (oldest !== undefined) book(state, oldest.id);
  state.subagents = children.filter((each) => each !== oldest);
}

/** Books what a child has used to all of them. */
function book(state: Draft, id: string): void {
  const child = state.subagents.find((each) => each.id === id);
  if (child === undefined) return;
  const { tokens, costNanoUsd } = state.subagentTotals;
  state.subagentTotals = {
    ...state.subagentTotals,
    tokens: tokens + child.tokens,
    costNanoUsd: costNanoUsd + child.costNanoUsd,
  };
}
