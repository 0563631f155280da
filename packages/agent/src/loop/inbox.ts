import type { Origin } from "@sheepdog/guardian";

/** The prompt of a run. */
export interface Prompt {
  readonly text: string;
  readonly origin: Origin;
}

/** Decides whether a message fits into the context. `waiting`: all messages that wait, this one last. */
export interface SteeringCheck {
  /** Why the message does not fit, by the counts available now; undefined if it does. */
  problem(waiting: readonly Prompt[]): string | undefined;
  /** Loads the tokenizer if an estimate could be wrong; undefined if no exact count is needed. Never rejects. */
  countExactly(waiting: readonly Prompt[]): Promise<unknown> | undefined;
}

/** The messages for a run: its prompt, then the steering messages that arrive while it runs. */
export interface Inbox {
  readonly hasPrompt: boolean;
  /** The prompt, once; undefined afterwards, and for a resumed run without a new prompt. */
  takePrompt(): Prompt | undefined;
  replacePrompt(prompt: Prompt): void;
  /** To be awaited before `steer` and `steeringProblem`, which use an estimate otherwise. Undefined: no need to. */
  countExactly(text: string): Promise<unknown> | undefined;
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
  let check: SteeringCheck | undefined;
  const waitingWith = (text: string): readonly Prompt[] => [
    ...(pendingPrompt === undefined ? [] : [pendingPrompt]),
    ...[...steering, text].map((message) => ({ text: message, origin: "person" }) as const),
  ];
  const steeringProblem = (text: string) => check?.problem(waitingWith(text));
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
    countExactly: (text) => check?.countExactly(waitingWith(text)),
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
