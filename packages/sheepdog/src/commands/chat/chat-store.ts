import type { ChatAction, ChatEffect } from "./state/chat-action.ts";
import type { ChatState } from "./state/chat-state.ts";
import { reduce } from "./state/reduce.ts";

/** Holds the state of a chat and notifies its views. */
export interface ChatStore {
  readonly get: () => ChatState;
  readonly dispatch: (action: ChatAction) => void;
  /** Returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** Creates a store. Effects are performed after all listeners have been notified of the new state. */
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
