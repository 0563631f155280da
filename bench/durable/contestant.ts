import type { Tool } from "../../packages/agent/dist/index.js";
import type { Play } from "../loop/contestant.ts";

/** Where a contestant keeps a conversation, and what its tool is said to be. */
export interface Place {
  /** An empty folder on a disk. */
  readonly folder: string;
  /** Whether the tool only reads or changes something. */
  readonly kind: Extract<Tool["kind"], "read" | "mutate">;
}

/** A contestant whose database is open. */
export interface Game {
  readonly play: Play;
  close(): void | Promise<void>;
}

/** A contestant, in a database `state.db` in the folder it is given. */
export interface Contestant {
  /** Loads it. Throws where it cannot be used. */
  open(): Promise<(place: Place) => Promise<Game>>;
  /** The SQL that says how many bytes of JSON its database holds. */
  readonly jsonBytes: string;
}

/** The name of the database in the folder of a game. */
export const databaseName = "state.db";
