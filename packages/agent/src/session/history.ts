import { createMessageCache, type MessageCache } from "../protocol/message-cache.ts";
import type { Message } from "../protocol/messages.ts";
import { noRecoveries, type RecoveryCounts } from "../protocol/recovery-counts.ts";

/** The conversation of a session during a run: append-only, with the part that is not saved yet. */
export interface History {
  readonly messages: readonly Message[];
  /** The ids of all calls. */
  readonly callIds: ReadonlySet<string>;
  /** The number of completed turns. */
  readonly turn: number;
  readonly recoveries: RecoveryCounts;
  /** Results computed once per message, such as token counts: the cost of a turn does not grow with their number. */
  readonly cache: MessageCache;
  /** Starts with the saved messages of the session. */
  load(saved: readonly Message[]): void;
  append(...messages: readonly Message[]): void;
  completeTurn(): void;
  countRecovery(kind: keyof RecoveryCounts): void;
  /** The messages for the next request: the compacted ones of the last request with everything since, or all. */
  toSend(): readonly Message[];
  /** Remembers what a request was made of in place of all messages. */
  setSent(messages: readonly Message[]): void;
  unsaved(): readonly Message[];
  /** Marks the oldest `count` unsaved messages as saved. */
  markSaved(count: number): void;
}

/** Where a resumed run stood. */
export interface HistoryStart {
  readonly turn: number;
  readonly recoveries: RecoveryCounts;
}

const newRun: HistoryStart = { turn: 0, recoveries: noRecoveries };

export function createHistory({ turn, recoveries }: HistoryStart = newRun): History {
  const messages: Message[] = [];
  const callIds = new Set<string>();
  let savedCount = 0;
  let completedTurns = turn;
  let recoveryCounts = recoveries;
  /** The compacted messages of the last request, and how many messages of the history they replace. */
  let compacted: { readonly messages: readonly Message[]; readonly replaces: number } | undefined;

  function append(...added: readonly Message[]): void {
    for (const message of added) {
      messages.push(message);
      if (message.role !== "assistant") continue;
      for (const part of message.parts) if (part.type === "call") callIds.add(part.id);
    }
  }

  return {
    messages,
    callIds,
    cache: createMessageCache(),
    get turn() {
      return completedTurns;
    },
    get recoveries() {
      return recoveryCounts;
    },
    load(saved) {
      for (const message of saved) append(message);
      savedCount = messages.length;
    },
    append,
    completeTurn() {
      completedTurns += 1;
    },
    countRecovery(kind) {
      recoveryCounts = { ...recoveryCounts, [kind]: recoveryCounts[kind] + 1 };
    },
    toSend: () => (compacted === undefined ? messages : [...compacted.messages, ...messages.slice(compacted.replaces)]),
    setSent(sent) {
      compacted = sent === messages ? undefined : { messages: sent, replaces: messages.length };
    },
    unsaved: () => messages.slice(savedCount),
    markSaved(count) {
      savedCount += count;
    },
  };
}
