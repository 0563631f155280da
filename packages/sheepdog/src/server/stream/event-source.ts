import type { AgentEvent, EventStore } from "@sheepdog/agent";

/** Where the stream reads saved events. */
export type BatchSource = Pick<EventStore, "batchesAfter" | "lastPosition">;

/** Calls `onEvents` with events that are not saved yet. Returns a function that ends it. */
export type FollowLive = (onEvents: (events: readonly AgentEvent[]) => void) => () => void;
