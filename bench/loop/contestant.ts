import { existsSync } from "node:fs";
import type { Conversation } from "./conversation.ts";
import type { Meter } from "./meter.ts";

/** The result of a conversation, to check that it is complete. */
export interface Outcome {
  /** Characters of streamed text that reached a listener. */
  readonly characters: number;
  /** Executed tool calls. */
  readonly calls: number;
  /** What the contestant holds in memory after the conversation. */
  readonly retained: unknown;
}

/** Runs a conversation. Its model reports each request to the meter; its tool returns the result of the turn. */
export type RunConversation = (conversation: Conversation, meter: Meter) => Promise<Outcome>;

/** Loads a contestant. Throws when it cannot be used here. */
export type Load = () => Promise<RunConversation>;

/** Throws unless all calls were executed and all text reached a listener. */
export function checkComplete({ calls, characters, retained }: Outcome, conversation: Conversation): void {
  const { turns, characters: expectedCharacters } = conversation;
  if (calls !== turns.length || characters !== expectedCharacters || retained === undefined)
    throw new Error(
      `Expected ${turns.length} calls and ${expectedCharacters} characters; got ${calls} and ${characters}.`,
    );
}

/** Imports a file of a peer by its path in `bench/peers`. */
export async function fromPeer<Exports>(path: string): Promise<Exports> {
  const url = new URL(`../peers/${path}`, import.meta.url);
  // Node's own message would name folders of this machine.
  if (!existsSync(url)) throw new Error(`bench/peers/${path} is missing`);
  return (await import(url.href)) as Exports; // the exports of the pinned version
}
