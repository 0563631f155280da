import type { AgentEvent } from "../../events.ts";
import { checkEvents } from "../check-events.ts";
import { checkCost } from "../money.ts";
import type { Commit, CostRow, OpenCall } from "../stores.ts";
import { dayOf } from "../utc.ts";
import { checkpointJson } from "./checkpoint-json.ts";

/** A commit as the text that will be written. */
export interface Draft {
  readonly at: number;
  readonly messages: readonly string[];
  /** Calls that are open now. */
  readonly opened: readonly OpenCall[];
  /** Calls that have a result now. */
  readonly closed: ReadonlySet<string>;
  readonly checkpoint: string | undefined;
  readonly run: { readonly id: string; readonly json: string } | undefined;
  readonly costs: readonly CostRow[];
  readonly events: { readonly all: readonly AgentEvent[]; readonly first: number; readonly last: number; readonly json: string } | undefined;
}

/** Puts a commit into text, before the database is locked for it: what cannot be written is found here. */
export function draftCommit(sessionId: string, { at, messages = [], openCalls = [], checkpoint, run, costs = [], events = [] }: Commit): Draft {
  checkEvents(sessionId, events);
  for (const row of costs) {
    checkCost(row);
    dayOf(row.at);
  }
  return {
    at,
    messages: messages.map((message) => JSON.stringify(message)),
    opened: openCalls,
    closed: new Set(messages.flatMap((message) => (message.role === "tool" ? [message.callId] : []))),
    checkpoint: checkpoint && checkpointJson(checkpoint),
    run: run && { id: run.runId, json: JSON.stringify(run) },
    costs,
    events: events.length === 0 ? undefined : draftEvents(events),
  };
}

function draftEvents(events: readonly AgentEvent[]): NonNullable<Draft["events"]> {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const { seq } of events) [first, last] = [Math.min(first, seq), Math.max(last, seq)];
  return { all: events, first, last, json: JSON.stringify(events) };
}
