import { existsSync } from "node:fs";
import type { Conversation } from "./conversation.ts";
import type { Meter } from "./meter.ts";

/** What came of a conversation, to see that all of it was played; `kept` is what the contestant remembers of it. */
export interface Played {
  readonly characters: number;
  readonly calls: number;
  readonly kept: unknown;
}

/** Plays a conversation; its model tells the meter of each request, its tool returns the result of the turn. */
export type Play = (conversation: Conversation, meter: Meter) => Promise<Played>;

/** Loads a contestant. Throws where it cannot be used. */
export type Open = () => Promise<Play>;

/** Throws where not all of a conversation was played. */
export function checkPlayed({ calls, characters, kept }: Played, { turns, characters: all }: Conversation): void {
  if (calls !== turns.length || characters !== all || kept === undefined)
    throw new Error(`Expected ${turns.length} calls and ${all} characters; got ${calls} and ${characters}.`);
}

/** Imports a file of a peer, by its path in `bench/peers`. */
export async function fromPeer<Exports>(path: string): Promise<Exports> {
  const url = new URL(`../peers/${path}`, import.meta.url);
  if (!existsSync(url)) throw new Error(`bench/peers/${path} is not there`); // Node's own sentence would name folders of this machine
  return (await import(url.href)) as Exports; // what the pinned version exports
}
