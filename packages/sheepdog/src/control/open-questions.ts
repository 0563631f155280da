import type { AnswerMessage } from "./control-message.ts";

/** The questions of the runs of this process that other processes can answer now. */
export interface OpenQuestions {
  /** Makes a question known until it is closed. */
  open<T extends AnswerMessage["type"]>(type: T, id: string): OpenQuestion<AnswerOf<T>>;
  /** Answers the question that a message names. Returns a sentence about why that is refused. */
  answer(message: AnswerMessage): string | undefined;
}

/** The message that answers one kind of question. */
export type AnswerOf<T extends AnswerMessage["type"]> = Extract<AnswerMessage, { readonly type: T }>;

/** One question. */
interface OpenQuestion<Message> {
  /** Resolves with the first answer of another process. */
  readonly answer: Promise<Message>;
  /**
   * Closes the question. `isAnswered`: the user has answered it here. Returns false if another process has answered it
   * before.
   */
  close(isAnswered: boolean): boolean;
}

/** How many answered questions are remembered, to tell why a late answer is refused. */
const MAX_ANSWERED = 200;

/** Creates a list without questions. */
export function createOpenQuestions(): OpenQuestions {
  const open = new Map<string, ((message: AnswerMessage) => void)[]>();
  const answered = new Set<string>();

  function remove(key: string, settle: (message: AnswerMessage) => void): boolean {
    const settlers = open.get(key) ?? [];
    const others = settlers.filter((other) => other !== settle);
    if (others.length === 0) open.delete(key);
    else open.set(key, others);
    return others.length < settlers.length;
  }

  function remember(key: string): void {
    answered.delete(key);
    answered.add(key);
    for (const oldest of answered) if (answered.size > MAX_ANSWERED) answered.delete(oldest);
  }

  return {
    open<T extends AnswerMessage["type"]>(type: T, id: string) {
      const key = keyOf(type, id);
      let resolve = (_: AnswerOf<T>) => {};
      let isTaken = false;
      const answer = new Promise<AnswerOf<T>>((resolvePromise) => {
        resolve = resolvePromise;
      });
      const settle = (message: AnswerMessage) => {
        isTaken = true;
        resolve(message as AnswerOf<T>); // the key contains the type
      };
      answered.delete(key);
      open.set(key, [...(open.get(key) ?? []), settle]);
      return {
        answer,
        close(isAnswered) {
          if (remove(key, settle) && isAnswered) remember(key);
          return !isTaken;
        },
      };
    },
    answer(message) {
      const key = keyOf(message.type, message.type === "answer" ? message.questionId : message.callId);
      const settlers = open.get(key) ?? [];
      const [settle] = settlers;
      if (settle === undefined)
        return answered.has(key) ? "This question was answered already." : "No such question is open.";
      // The ids of calls are unique in a session only, and a subagent has a session of its own.
      if (settlers.length > 1) return "Two open questions have this id. Answer them in the terminal of the run.";
      remove(key, settle);
      remember(key);
      settle(message);
      return undefined;
    },
  };
}

function keyOf(type: AnswerMessage["type"], id: string): string {
  return `${type} ${id}`;
}
