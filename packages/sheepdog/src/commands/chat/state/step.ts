import type { Effect } from "./action.ts";
import type { ChatState } from "./chat-state.ts";

/** What becomes of a chat, and what is to be done. */
export interface Step {
  readonly state: ChatState;
  readonly effects: readonly Effect[];
}

/** A step with effects. */
export function step(state: ChatState, ...effects: readonly Effect[]): Step {
  return { state, effects };
}
