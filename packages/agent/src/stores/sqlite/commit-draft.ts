import type { AuditRow } from "../../protocol/audit.ts";
import type { AgentEvent } from "../../protocol/events.ts";
import type { NewLesson } from "../../protocol/lesson.ts";
import { checkCost } from "../money-limits.ts";
import { checkEvents } from "../saved-events.ts";
import { checkStoredName } from "../stored-name.ts";
import type { Commit, CostRow, UnansweredCall } from "../stores.ts";

/** A commit as the JSON that will be written. */
export interface CommitDraft {
  readonly at: number;
  readonly messages: readonly string[];
  /** Calls that have no result yet. */
  readonly newCalls: readonly UnansweredCall[];
  /** Ids of calls that have their result in this commit. */
  readonly answeredCalls: readonly string[];
  readonly checkpoint: string | undefined;
  readonly run: { readonly id: string; readonly json: string } | undefined;
  readonly costs: readonly CostRow[];
  readonly events: EventsDraft | undefined;
  readonly audit: readonly AuditRow[];
  readonly lessons: readonly NewLesson[];
}

/** The events of a commit, with their lowest and highest sequence number. */
export interface EventsDraft {
  readonly all: readonly AgentEvent[];
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly json: string;
}

/** Checks and serializes a commit before the database is locked. Throws when a part cannot be stored. */
export function draftCommit(sessionId: string, commit: Commit): CommitDraft {
  const { at, messages = [], unansweredCalls = [], checkpoint, run, costs = [], events = [] } = commit;
  checkEvents(sessionId, events);
  if (run !== undefined) checkStoredName("id of a run", run.runId);
  for (const row of costs) checkCost(row);
  return {
    at,
    messages: messages.map((message) => JSON.stringify(message)),
    newCalls: unansweredCalls,
    answeredCalls: messages.flatMap((message) => (message.role === "tool" ? [message.callId] : [])),
    checkpoint: checkpoint && JSON.stringify(checkpoint),
    run: run && { id: run.runId, json: JSON.stringify(run) },
    costs,
    events: draftEvents(events),
    audit: commit.audit ?? [],
    lessons: commit.lessons ?? [],
  };
}

/** Serializes events; undefined when there are none. */
export function draftEvents(events: readonly AgentEvent[]): EventsDraft | undefined {
  if (events.length === 0) return undefined;
  return {
    all: events,
    firstSeq: events.reduce((min, { seq }) => Math.min(min, seq), Number.POSITIVE_INFINITY),
    lastSeq: events.reduce((max, { seq }) => Math.max(max, seq), 0),
    json: JSON.stringify(events),
  };
}
