import type { Message } from "../../protocol/messages.ts";
import type { TokenRoom } from "../message-selection.ts";

/** How messages are made to fit into the context, by its name in the configuration. */
export type StrategyName = "summarize" | "sliding_window" | "compact" | "none";

/** Lets a model summarize messages. */
export type Summarize = (messages: readonly Message[], signal: AbortSignal) => Promise<string>;

/** The input of a strategy: messages with paired calls, which are not changed, and the room for them. */
export interface CompactionInput extends TokenRoom {
  readonly messages: readonly Message[];
}

/** The output of a strategy; `problem` says why it could not be followed. */
export interface CompactionResult {
  readonly messages: readonly Message[];
  readonly problem?: string;
}
