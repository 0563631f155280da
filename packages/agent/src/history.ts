import type { Message } from "./messages.ts";
import type { HistoryStore } from "./stores/stores.ts";

/** The conversation of a session as a run sees it: what was loaded, what came since, and what of that is not saved yet. It only ever grows. */
export interface History {
  readonly messages: readonly Message[];
  add(...messages: readonly Message[]): void;
  /** What came since the last time this was asked, to be saved. */
  takeUnsaved(): readonly Message[];
}

/** Loads the conversation of a session. */
export async function openHistory(store: HistoryStore, sessionId: string): Promise<History> {
  const messages: Message[] = [...(await store.load(sessionId))];
  let saved = messages.length;
  return {
    messages,
    add: (...more) => void messages.push(...more),
    takeUnsaved() {
      const unsaved = messages.slice(saved);
      saved = messages.length;
      return unsaved;
    },
  };
}
