import type { Message } from "../../protocol/messages.ts";
import type { Room } from "../message-selection.ts";

/** How messages are brought back into the context, by its name in the configuration. */
export type StrategyName = "summarize" | "sliding_window" | "compact" | "none";

/** Has a model put messages into few words. */
export type Summarize = (messages: readonly Message[], signal: AbortSignal) => Promise<string>;

/** What a strategy works with. The messages have settled calls and are not changed. */
export interface Crowded extends Room {
  readonly messages: readonly Message[];
}
