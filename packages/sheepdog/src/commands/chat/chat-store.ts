import type { ChatAction, ChatEffect } from "./state/chat-action.ts";
import type { ChatState } from "./state/chat-state.ts";
import { reduce } from "./state/reduce.ts";

/** Holds what a chat is, and tells those who draw it. */
export interface ChatStore {
  readonly get: () => ChatState;
  readonly dispatch: (action: ChatAction) => void;
  /** Gives back how to stop listening. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** Begins with a state; effects are handed on after everybody has seen the state they come with. */
export function chatStore(initial: ChatState, perform: (effect: ChatEffect) => void): ChatStore {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    dispatch(action) {
      const { state: next, effects } = reduce(state, action);
      state = next;
      for (const listener of listeners) listener();
      for (const effect of effects) perform(effect);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
