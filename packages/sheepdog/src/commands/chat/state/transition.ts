import type { ChatEffect } from "./chat-action.ts";
import type { ChatState } from "./chat-state.ts";

/** The next state of a chat and the effects to perform. */
export interface Transition {
  readonly state: ChatState;
  readonly effects: readonly ChatEffect[];
}

/** Builds a transition. */
export function transition(state: ChatState, ...effects: readonly ChatEffect[]): Transition {
  return { state, effects };
}
