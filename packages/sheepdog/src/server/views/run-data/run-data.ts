import type { AgentEvent, Message, SavedSession } from "@sheepdog/agent";
import { agentLabel } from "../../../look-back/agent-label.ts";
import { ownSource } from "../../../recordings/saved-run-recording.ts";
import { type NumberedCall, numberedCalls } from "../../../saved-runs/notice-effect.ts";
import type { LoadedSession, RunSummary } from "../../../saved-runs/run-summary.ts";
import { type Loop, loopsOf } from "../../../saved-runs/trace/loops.ts";
import { readTrace } from "../../../saved-runs/trace/read-trace.ts";
import type { RunTrace } from "../../../saved-runs/trace/run-trace.ts";

/** A run with everything that is known about it: one of Sheepdog, or a recording in the same form. */
export interface RunData {
  readonly kind: "run" | "recording";
  /** What a recording says about itself: its own id, its outcome unchanged, and its file and line. */
  readonly recorded?: {
    readonly id: string;
    readonly outcome: string | undefined;
    readonly place: string;
    /** Hooks recorded it: what the guardian says in it was said to the agent. */
    readonly isAttached: boolean;
    /** What the user has to know about how it was judged. */
    readonly problem: string | undefined;
  };
  /** "Sheepdog", "Claude Code", … */
  readonly source: string;
  readonly summary: RunSummary;
  /** Its own events, in order. */
  readonly events: readonly AgentEvent[];
  /** Events of the session that cannot be read. */
  readonly unreadable: number;
  /** The calls of the session, as the guardian counts them. */
  readonly calls: readonly NumberedCall[];
  readonly messages: readonly Message[];
  readonly trace: RunTrace;
  readonly loops: readonly Loop[];
  /** Calls that may be running, from the store: their start may not be saved as an event yet. */
  readonly startedCalls: readonly NumberedCall[];
  /** The last text of the agent. */
  readonly lastWords: string | undefined;
  /** All runs of the session, oldest first. */
  readonly sessionRuns: SavedSession["runs"];
}

/** The data of a run whose session is loaded. */
export function savedRunData(summary: RunSummary, { saved, events: all, unreadable }: LoadedSession): RunData {
  const events = all.filter(({ runId }) => runId === summary.run.runId);
  const trace = readTrace(events);
  const calls = numberedCalls(saved.messages);
  return {
    kind: "run",
    source: agentLabel(ownSource),
    summary,
    events,
    unreadable,
    calls,
    messages: saved.messages,
    trace,
    loops: loopsOf(trace, calls),
    startedCalls: startedCalls(saved, calls),
    lastWords: trace.lastWords ?? lastReply(saved.messages, summary.run),
    sessionRuns: saved.runs,
  };
}

function startedCalls({ unansweredCalls }: SavedSession, calls: readonly NumberedCall[]): readonly NumberedCall[] {
  const started = new Set(unansweredCalls.flatMap(({ callId, state }) => (state === "started" ? [callId] : [])));
  return started.size === 0 ? [] : calls.filter(({ id }) => started.has(id));
}

function lastReply(
  messages: readonly Message[],
  { startedAt, endedAt = Number.POSITIVE_INFINITY }: RunSummary["run"],
): string | undefined {
  for (const message of messages.toReversed()) {
    if (message.role !== "assistant" || message.at < startedAt || message.at > endedAt) continue;
    const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    if (text.trim() !== "") return text;
  }
  return undefined;
}
