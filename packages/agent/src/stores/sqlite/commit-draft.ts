import { keepShape } from "../../async/keep-shape.ts";
import type { AgentEvent } from "../../protocol/events.ts";
import type { Message } from "../../protocol/messages.ts";
import { checkCost } from "../money-limits.ts";
import { checkEvents } from "../saved-events.ts";
import { checkStoredName } from "../stored-name.ts";
import type { Commit, CostRow, SavedRun, UnansweredCall } from "../stores.ts";
import { dayOf } from "../utc.ts";
import { type CheckpointDraft, draftCheckpoint, type Whole } from "./checkpoints.ts";

/** A commit as the text that will be written. */
export interface CommitDraft {
  readonly at: number;
  readonly messages: readonly string[];
  /** Calls that are open now. */
  readonly opened: readonly UnansweredCall[];
  /** Calls that have a result now. */
  readonly closed: readonly string[];
  readonly checkpoint: CheckpointDraft | undefined;
  readonly run: { readonly id: string; readonly json: string } | undefined;
  readonly costs: readonly CostRow[];
  readonly events:
    | { readonly all: readonly AgentEvent[]; readonly first: number; readonly last: number; readonly json: string }
    | undefined;
}

/** Puts a commit into text, before the database is locked for it: what cannot be written is found here. `whole` is the checkpoint that its session has, if known. */
export function draftCommit(sessionId: string, commit: Commit, whole?: Whole): CommitDraft {
  const { at, messages = [], unansweredCalls = [], checkpoint, run, costs = [], events = [] } = commit;
  checkEvents(sessionId, events);
  for (const row of costs) {
    checkCost(row);
    dayOf(row.at);
  }
  return {
    at,
    messages: messages.map((message) => JSON.stringify(message)),
    opened: unansweredCalls,
    closed: closedBy(messages),
    checkpoint: checkpoint && draftCheckpoint(checkpoint, whole),
    run: run && draftRun(run),
    costs,
    events: events.length === 0 ? undefined : draftEvents(events),
  };
}

function closedBy(messages: readonly Message[]): readonly string[] {
  const closed: string[] = [];
  for (const message of messages) if (message.role === "tool") closed.push(message.callId);
  return closed;
}

/** A run is written when it begins and when it ends, and has a shape of its own: its id is asked for so that V8 does not look at that (see callOut). */
function draftRun(run: SavedRun): NonNullable<CommitDraft["run"]> {
  const id: SavedRun["runId"] = Reflect.get(run, "runId");
  checkStoredName("id of a run", id);
  return { id, json: JSON.stringify(run) };
}

function draftEvents(events: readonly AgentEvent[]): NonNullable<CommitDraft["events"]> {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const { seq } of events) {
    if (seq < first) first = seq;
    if (seq > last) last = seq;
  }
  return { all: events, first, last, json: JSON.stringify(events) };
}

const sampleRun = { runId: "" } as SavedRun; // as much of it as is looked at
keepShape(draftCommit("", { at: Date.now() }), draftRun(sampleRun), draftEvents([]));
