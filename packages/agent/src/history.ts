import { callsOf, type Message } from "./messages.ts";

/** The conversation of a session as a run sees it: what was loaded, what came since, and what of that is not saved yet. It only ever grows. */
export interface History {
  readonly messages: readonly Message[];
  /** Ids of all its calls. */
  readonly callIds: ReadonlySet<string>;
  add(...messages: readonly Message[]): void;
  /** What is not saved yet. */
  unsaved(): readonly Message[];
  /** So many more of them are. */
  markSaved(count: number): void;
}

/** The conversation as it was kept, to go on with. */
export function createHistory(kept: readonly Message[]): History {
  const messages: Message[] = [...kept];
  const callIds = new Set<string>();
  let saved = messages.length;
  const note = (message: Message) => {
    if (message.role === "assistant") for (const { id } of callsOf(message)) callIds.add(id);
  };
  messages.forEach(note);
  return {
    messages,
    callIds,
    add(...more) {
      messages.push(...more);
      more.forEach(note);
    },
    unsaved: () => messages.slice(saved),
    markSaved(count) {
      saved += count;
    },
  };
}
