import type { SignalOf } from "./signal.ts";
import { type Brood, bounds, type Child, type GuardianState, short } from "./state.ts";
import { alive } from "./time.ts";

/** A sub-agent is about to begin. */
export function onChildStart(state: GuardianState, { id, depth }: SignalOf<"child-start">): GuardianState {
  const children = [...state.children, { id: short(id, bounds.id), depth, tokens: 0, costNanoUsd: 0 }];
  const forgotten = children.slice(0, -bounds.children);
  const { brood, clock } = state;
  const startedAtMs = [...brood.startedAtMs, clock.elapsedMs].slice(-bounds.starts);
  return { ...alive(state), children: children.slice(-bounds.children), brood: { ...booked(brood, forgotten), started: brood.started + 1, startedAtMs } };
}

/** A sub-agent has ended, with findings of its own or without. What it used stays with the run. */
export function onChildEnd(state: GuardianState, { id, findings }: SignalOf<"child-end">): GuardianState {
  const ended = state.children.filter((child) => child.id === short(id, bounds.id));
  const children = state.children.filter((child) => !ended.includes(child));
  return { ...alive(state), children, brood: { ...booked(state.brood, ended), stuck: findings.length === 0 ? 0 : state.brood.stuck + 1 } };
}

/** What sub-agents used is counted on when they are no longer there. */
function booked(brood: Brood, children: readonly Child[]): Brood {
  const tokens = children.reduce((sum, child) => sum + child.tokens, brood.tokens);
  return { ...brood, tokens, costNanoUsd: children.reduce((sum, child) => sum + child.costNanoUsd, brood.costNanoUsd) };
}
