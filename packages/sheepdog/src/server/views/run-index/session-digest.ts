import type { AgentEvent, Message, SavedSession, SessionSummary, Stores } from "@sheepdog/agent";
import { agentLabel } from "../../../look-back/agent-label.ts";
import { ownSource } from "../../../recordings/saved-run-recording.ts";
import { addToFacts, type EventFacts, noFacts } from "../../../saved-runs/event-facts.ts";
import { type NumberedCall, numberedCalls } from "../../../saved-runs/notice-effect.ts";
import { readableEvents } from "../../../saved-runs/readable-events.ts";
import type { RunSummary } from "../../../saved-runs/run-summary.ts";
import { loopsOf } from "../../../saved-runs/trace/loops.ts";
import { createTrace, type GrowingTrace } from "../../../saved-runs/trace/read-trace.ts";
import type { RunData } from "../run-data/run-data.ts";
import { slimEvent, slimInput } from "./slim-event.ts";

/**
 * What lists need of a session, without long texts. A live session is read once; after that only its new events and
 * messages are, so an update costs the same however long the run is.
 */
export interface SessionDigest {
  readonly createdAt: number;
  lastSeq: number;
  lastAt: number;
  messages: number;
  /** By run id, as the next three. */
  readonly facts: Map<string, EventFacts>;
  readonly traces: Map<string, GrowingTrace>;
  /** The last text of a reply. */
  readonly replies: Map<string, string>;
  /** The calls of the session, as the guardian counts them. */
  readonly calls: NumberedCall[];
  /** Without its messages. */
  saved: SavedSession;
}

/** Events that are read at once. */
const CHUNK = 1_000;
const MAX_REPLY_CHARS = 4_000;

/** Adds what is new in a session to its digest, or starts another one if there is none or it is another session's. */
export async function readDigest(
  stores: Stores,
  { sessionId, createdAt }: SessionSummary,
  earlier: SessionDigest | undefined,
): Promise<SessionDigest> {
  const first = await stores.sessions.load(sessionId, earlier?.messages ?? 0);
  const isGrown = earlier?.createdAt === createdAt && first.lastSeq >= earlier.lastSeq;
  const digest = isGrown ? earlier : newDigest(createdAt, first);
  const saved = isGrown || earlier === undefined ? first : await stores.sessions.load(sessionId);
  digest.saved = { ...saved, messages: [] };
  addMessages(digest, saved);
  for (;;) {
    const chunk = await stores.events.after(sessionId, digest.lastSeq, CHUNK);
    for (const event of readableEvents(chunk, digest.lastAt).events) addEvent(digest, event);
    digest.lastSeq = chunk.at(-1)?.seq ?? digest.lastSeq;
    if (chunk.length < CHUNK) return digest;
  }
}

/** The data of a run for its row in a list: without events and messages. */
export function digestRunData(summary: RunSummary, digest: SessionDigest): RunData {
  const { runId } = summary.run;
  const { trace } = digest.traces.get(runId) ?? createTrace();
  const started = new Set(
    digest.saved.unansweredCalls.flatMap(({ callId, state }) => (state === "started" ? [callId] : [])),
  );
  return {
    kind: "run",
    source: agentLabel(ownSource),
    summary,
    events: [],
    unreadable: 0,
    calls: digest.calls,
    messages: [],
    trace,
    loops: loopsOf(trace, digest.calls),
    startedCalls: started.size === 0 ? [] : digest.calls.filter(({ id }) => started.has(id)),
    lastWords: trace.lastWords ?? digest.replies.get(runId),
    sessionRuns: digest.saved.runs,
  };
}

function newDigest(createdAt: number, saved: SavedSession): SessionDigest {
  return {
    createdAt,
    lastSeq: 0,
    lastAt: 0,
    messages: 0,
    facts: new Map(),
    traces: new Map(),
    replies: new Map(),
    calls: [],
    saved,
  };
}

function addMessages(digest: SessionDigest, { messages, runs }: SavedSession): void {
  digest.messages += messages.length;
  for (const call of numberedCalls(messages)) digest.calls.push({ ...call, input: slimInput(call.input) });
  for (const message of messages) {
    const text = replyText(message);
    const run = text === "" ? undefined : runs.findLast((each) => isDuring(message.at, each));
    if (run !== undefined) digest.replies.set(run.runId, text);
  }
}

function replyText(message: Message): string {
  if (message.role !== "assistant") return "";
  const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  return text.trim() === "" ? "" : text.slice(0, MAX_REPLY_CHARS);
}

function isDuring(
  at: number,
  { startedAt, endedAt = Number.POSITIVE_INFINITY }: SavedSession["runs"][number],
): boolean {
  return at >= startedAt && at <= endedAt;
}

function addEvent(digest: SessionDigest, event: AgentEvent): void {
  digest.lastAt = event.at;
  const { runId } = event;
  const facts = digest.facts.get(runId) ?? noFacts();
  const trace = digest.traces.get(runId) ?? createTrace();
  digest.facts.set(runId, facts);
  digest.traces.set(runId, trace);
  addToFacts(facts, event);
  trace.add(slimEvent(event));
}
