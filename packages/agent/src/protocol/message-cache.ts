import type { Message } from "./messages.ts";

/** A computation over a list of messages. Define it once per module: the cache identifies it by the object. */
export interface MessageReducer<Result> {
  start(): Result;
  /** May change `result` and return it. */
  add(result: Result, message: Message): Result;
}

/**
 * Results computed from the messages of one conversation. Messages never change and the conversation only grows, so
 * each message is processed once, and the cost of a turn does not grow with the number of turns.
 */
export interface MessageCache {
  /** The result of `compute` for one message. Define `compute` once: the cache identifies it by the function. */
  get<Result>(message: Message, compute: (message: Message) => Result): Result;
  /**
   * The result of the reducer for a list. If the list begins with the messages of the previous list, only the new
   * messages are added. The result belongs to the cache: a caller that passes it on copies it.
   */
  reduce<Result>(messages: readonly Message[], reducer: MessageReducer<Result>): Result;
}

/** Creates an empty cache. */
export function createMessageCache(): MessageCache {
  // Weak, since shortened copies of messages are dropped long before the conversation ends.
  const results = new Map<unknown, WeakMap<Message, unknown>>();
  const reductions = new Map<unknown, Reduction>();

  return {
    get<Result>(message: Message, compute: (message: Message) => Result): Result {
      const computed = results.get(compute) ?? new WeakMap<Message, unknown>();
      results.set(compute, computed);
      if (!computed.has(message)) computed.set(message, compute(message));
      return computed.get(message) as Result; // `compute` returned it
    },

    reduce<Result>(messages: readonly Message[], reducer: MessageReducer<Result>): Result {
      const previous = reductions.get(reducer);
      const isContinued = previous !== undefined && isExtended(previous, messages);
      const seen = isContinued ? previous.seen : [];
      let result = isContinued ? (previous.result as Result) : reducer.start(); // the same reducer returned it
      reductions.delete(reducer); // a reducer that throws leaves no partial result behind
      for (const message of messages.slice(seen.length)) {
        result = reducer.add(result, message);
        seen.push(message);
      }
      reductions.set(reducer, { list: messages, seen, result });
      return result;
    },
  };
}

interface Reduction {
  readonly list: readonly Message[];
  /** The messages of the list at that time. */
  readonly seen: Message[];
  readonly result: unknown;
}

/** Whether `messages` begins with the messages seen before. The same list object can only have grown at its end. */
function isExtended({ list, seen }: Reduction, messages: readonly Message[]): boolean {
  if (messages.length < seen.length || messages[seen.length - 1] !== seen.at(-1)) return false;
  return messages === list || seen.every((message, index) => message === messages[index]);
}
