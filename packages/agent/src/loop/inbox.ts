import type { Origin } from "@sheepdog/guardian";

/** The prompt of a run. */
export interface Prompt {
  readonly text: string;
  readonly origin: Origin;
}

/** The messages for a run: its prompt, then the steering messages that arrive while it runs. */
export interface Inbox {
  readonly hasPrompt: boolean;
  /** The prompt, once; undefined afterwards, and for a resumed run without a new prompt. */
  takePrompt(): Prompt | undefined;
  replacePrompt(prompt: Prompt): void;
  /** Adds a message. False once the inbox is closed. */
  steer(text: string): boolean;
  /** Removes and returns the messages received so far. */
  takeSteering(): readonly string[];
  readonly isOpen: boolean;
  open(): void;
  /** Steering is no longer accepted. */
  close(): void;
}

export function createInbox(prompt: Prompt | undefined, { isOpen: startsOpen }: { readonly isOpen: boolean }): Inbox {
  let pendingPrompt = prompt;
  let steering: string[] = [];
  let isOpen = startsOpen;
  let isClosed = false;
  return {
    get hasPrompt() {
      return pendingPrompt !== undefined;
    },
    takePrompt() {
      const taken = pendingPrompt;
      pendingPrompt = undefined;
      return taken;
    },
    replacePrompt(replacement) {
      pendingPrompt = replacement;
    },
    steer(text) {
      if (!isOpen) return false;
      steering.push(text);
      return true;
    },
    takeSteering() {
      const taken = steering;
      steering = [];
      return taken;
    },
    get isOpen() {
      return isOpen;
    },
    open() {
      isOpen = !isClosed;
    },
    close() {
      isClosed = true;
      isOpen = false;
    },
  };
}
