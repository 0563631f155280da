import { bounds } from "./bounds.ts";
import { type Brood, type Child, childKey } from "./brood.ts";
import type { SignalOf } from "./signal.ts";
import type { GuardianState } from "./state.ts";
import { alive } from "./time.ts";
import { isAmount } from "./well-formed.ts";

/** A sub-agent is about to begin. One that had the same id before is another one. */
export function onChildStart(state: GuardianState, { id, depth }: SignalOf<"child-start">): GuardianState {
  const { brood, clock } = forgotten(state, childKey(id));
  const starts = [...brood.starts, [clock.elapsedMs, depth] as const].slice(-bounds.starts);
  const begun = { ...state, clock: alive(clock), brood: { ...brood, started: brood.started + 1, starts } };
  return withChild(begun, { id: childKey(id), tokens: 0, costNanoUsd: 0 });
}

/** A sub-agent has ended, with findings of its own or without; it ends once. What it used stays with the run, and may still be told. */
export function onChildEnd(state: GuardianState, { id, findings }: SignalOf<"child-end">): GuardianState {
  const child = state.children.find((each) => each.id === childKey(id)) ?? { id: childKey(id), tokens: 0, costNanoUsd: 0 };
  if (child.isOver) return state;
  const brood = { ...state.brood, stuck: findings.length === 0 ? 0 : state.brood.stuck + 1 };
  return withChild({ ...state, clock: alive(state.clock), brood }, { ...child, isOver: true });
}

/** What a sub-agent has used in all, also after it has ended, and also where nobody had said that it began. A total that falls is another one's. */
export function onChildUsage(state: GuardianState, id: string, { used, isPriced }: SignalOf<"usage">): GuardianState {
  const known = state.children.find((child) => child.id === childKey(id)) ?? { id: childKey(id), tokens: 0, costNanoUsd: 0 };
  const told = { ...known, tokens: amount(used["run-tokens"], known.tokens), costNanoUsd: amount(used["run-cost"], known.costNanoUsd) };
  const isAnother = told.tokens < known.tokens || told.costNanoUsd < known.costNanoUsd;
  const { brood } = isAnother ? forgotten(state, known.id) : state;
  return withChild({ ...state, brood: { ...brood, isUnpriced: brood.isUnpriced || !isPriced } }, told);
}

function amount(told: unknown, known: number): number {
  return isAmount(told) ? told : known;
}

/** The child as the newest of those kept; those that have ended are forgotten first. What the forgotten have used is counted on. */
function withChild(state: GuardianState, child: Child): GuardianState {
  const children = [...state.children.filter(({ id }) => id !== child.id), child];
  if (children.length <= bounds.children) return { ...state, children };
  const oldest = children.find((each) => each.isOver) ?? children[0];
  const { brood } = forgotten(state, oldest?.id);
  return { ...state, children: children.filter((each) => each !== oldest), brood };
}

/** The state with what a child has used booked to all of them. */
function forgotten(state: GuardianState, id: string | undefined): GuardianState {
  const gone = state.children.filter((child) => child.id === id);
  return { ...state, brood: gone.reduce(booked, state.brood) };
}

function booked(brood: Brood, { tokens, costNanoUsd }: Child): Brood {
  return { ...brood, tokens: brood.tokens + tokens, costNanoUsd: brood.costNanoUsd + costNanoUsd };
}
