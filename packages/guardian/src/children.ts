import type { SignalOf, Used } from "./signal.ts";
import { type Brood, bounds, type Child, type GuardianState, short } from "./state.ts";
import { alive } from "./time.ts";

/** A sub-agent is about to begin. */
export function onChildStart(state: GuardianState, { id, depth }: SignalOf<"child-start">): GuardianState {
  const { brood, clock } = state;
  const starts = [...brood.starts, [clock.elapsedMs, depth] as const].slice(-bounds.starts);
  return withChild(
    { ...state, clock: alive(clock), brood: { ...brood, started: brood.started + 1, starts } },
    { id: short(id, bounds.id), tokens: 0, costNanoUsd: 0 },
  );
}

/** A sub-agent has ended, with findings of its own or without. What it used stays with the run, and may still be told. */
export function onChildEnd(state: GuardianState, { findings }: SignalOf<"child-end">): GuardianState {
  return { ...state, clock: alive(state.clock), brood: { ...state.brood, stuck: findings.length === 0 ? 0 : state.brood.stuck + 1 } };
}

/** What a sub-agent has used in all, also after it has ended, and also where nobody had said that it began. */
export function onChildUsage(state: GuardianState, id: string, used: Used): GuardianState {
  const name = short(id, bounds.id);
  const known = state.children.find((child) => child.id === name) ?? { id: name, tokens: 0, costNanoUsd: 0 };
  return withChild(state, { id: name, tokens: used["run-tokens"] ?? known.tokens, costNanoUsd: used["run-cost"] ?? known.costNanoUsd });
}

/** The child as the newest of those kept. What the forgotten have used is counted on. */
function withChild(state: GuardianState, child: Child): GuardianState {
  const children = [...state.children.filter(({ id }) => id !== child.id), child];
  const forgotten = children.splice(0, Math.max(0, children.length - bounds.children));
  return { ...state, children, brood: forgotten.reduce(booked, state.brood) };
}

function booked(brood: Brood, { tokens, costNanoUsd }: Child): Brood {
  return { ...brood, tokens: brood.tokens + tokens, costNanoUsd: brood.costNanoUsd + costNanoUsd };
}
