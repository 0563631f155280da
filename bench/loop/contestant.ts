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

/** Imports a file of a peer, by its path in `bench/peers`. */
export async function fromPeer<Exports>(path: string): Promise<Exports> {
  return (await import(new URL(`../peers/${path}`, import.meta.url).href)) as Exports; // what the pinned version exports
}
