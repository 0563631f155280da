import type { AgentEvent, AgentEventType } from "../protocol/events.ts";

/** Called for each event. A returned promise is not awaited. */
export type Listener = (event: AgentEvent) => unknown;

/** A listener with its filter. */
export interface Subscriber {
  readonly listener: Listener;
  readonly runId: string | undefined;
  readonly types: readonly AgentEventType[] | undefined;
  /** The count of delivered events at which it starts to receive. */
  readonly from: number;
  hasFailed: boolean;
}
