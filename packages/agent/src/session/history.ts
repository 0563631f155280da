import { keepShape } from "../async/keep-shape.ts";
import type { Message } from "../protocol/messages.ts";

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
  return new KeptHistory(kept);
}

class KeptHistory implements History {
  readonly messages: Message[];
  readonly callIds = new Set<string>();
  private saved: number;

  constructor(kept: readonly Message[]) {
    this.messages = [...kept];
    this.saved = kept.length;
    for (const message of kept) this.note(message);
  }

  add(...more: readonly Message[]): void {
    for (const message of more) {
      if (message.role === "tool") Object.freeze(message); // so that a store can keep it as it is
      this.messages.push(message);
      this.note(message);
    }
  }

  unsaved(): readonly Message[] {
    return this.messages.slice(this.saved);
  }

  markSaved(count: number): void {
    this.saved += count;
  }

  private note(message: Message): void {
    if (message.role === "assistant")
      for (const part of message.parts) if (part.type === "call") this.callIds.add(part.id);
  }
}

keepShape(new KeptHistory([]));
