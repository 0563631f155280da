import type { Origin } from "@sheepdog/guardian";

/** The prompt of a run. */
export interface Prompt {
  readonly text: string;
  readonly origin: Origin;
}

/** Says why the last of the messages that wait does not fit into the context; undefined if it does. */
type SteeringCheck = (waiting: readonly string[]) => string | undefined;

/** The messages for a run: its prompt, then the steering messages that arrive while it runs. */
export interface Inbox {
  readonly hasPrompt: boolean;
  /** The prompt, once; undefined afterwards, and for a resumed run without a new prompt. */
  takePrompt(): Prompt | undefined;
  replacePrompt(prompt: Prompt): void;
  /** Adds a message. False once the inbox is closed, and for a message that does not fit into the context. */
  steer(text: string): boolean;
  /** Why a message does not fit, in one sentence; undefined if it does. */
  steeringProblem(text: string): string | undefined;
  /** Sets the check of messages, once the size of the context is known. */
  checkWith(check: SteeringCheck): void;
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
  let check: SteeringCheck = () => undefined;
  const steeringProblem = (text: string) => check([...steering, text]);
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
      if (!isOpen || steeringProblem(text) !== undefined) return false;
      steering.push(text);
      return true;
    },
    steeringProblem,
    checkWith(newCheck) {
      check = newCheck;
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
