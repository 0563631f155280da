import { type Conversation, conversation } from "../loop/conversation.ts";

/** A framework with a guard of `@sheepdog/integrations`. */
export interface Framework {
  readonly name: string;
  /** Loads the framework and its guard. Throws when it cannot be used here. */
  load(): Promise<LoadedFramework>;
}

export interface LoadedFramework {
  /**
   * Runs an agent that makes one call a turn, with a scripted model, without or with the guard. Absent where the agent
   * is a program of its own.
   */
  run?(turns: number, isGuarded: boolean): Promise<void>;
  /** Calls the guard's functions as the framework calls them in so many turns, without the framework. */
  guardAlone?(turns: number): Promise<void>;
}

/** Throws unless all turns were made. */
export function expectTurns(actual: number, expected: number): void {
  if (actual !== expected) throw new Error(`Expected ${expected} calls, got ${actual}.`);
}

const talks = new Map<number, Conversation>();

/** The conversation of so many turns; made once, so that the time for it is not measured. */
export function talkOf(turns: number): Conversation {
  const talk = talks.get(turns) ?? conversation(turns);
  talks.set(turns, talk);
  return talk;
}
