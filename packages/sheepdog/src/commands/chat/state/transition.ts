import type { ChatEffect } from "./chat-action.ts";
import type { ChatState } from "./chat-state.ts";

/** What becomes of a chat, and what is to be done. */
export interface Transition {
  readonly state: ChatState;
  readonly effects: readonly ChatEffect[];
}

/** A step with effects. */
export function transition(state: ChatState, ...effects: readonly ChatEffect[]): Transition {
  return { state, effects };
}
