import type { AgentEvent } from "@sheepdog/agent";
import { type EventsPage, eventsQuerySchema, type WholeCall } from "@sheepdog/web/contract";
import type { z } from "zod";
import { readableEvents } from "../../saved-runs/readable-events.ts";
import type { ViewContext } from "../view-context.ts";
import { isRecordingId, loadRun, locateRun } from "./run-data/load-run.ts";
import { toWireEvent } from "./wire-event.ts";
import { changeInInput, diffOf, recordedChange } from "./wire-event-diff.ts";

/** The query of a page of events; what is missing has its default. */
export type EventsQuery = z.input<typeof eventsQuerySchema>;

/** A page of the events of a run, in order; undefined if the run is unknown. */
export async function eventsView(
  context: ViewContext,
  id: string,
  query: EventsQuery = {},
): Promise<EventsPage | undefined> {
  const { after, limit } = eventsQuerySchema.parse(query);
  const position = await context.stores.events.lastPosition(); // read first: the events may be newer
  const stored = await storedEvents(context, id, after, limit + 1);
  if (stored === undefined) return undefined;
  const page = stored.slice(0, limit);
  const { events, unreadable } = readableEvents(page);
  return { events: events.map(toWireEvent), hasMore: stored.length > page.length, unreadable, position };
}

/** A call with its whole input and content, and the whole diff; undefined if it is unknown. */
export async function callView(context: ViewContext, id: string, callId: string): Promise<WholeCall | undefined> {
  const stored = await storedEvents(context, id, 0, Number.POSITIVE_INFINITY);
  const events = readableEvents(stored ?? []).events.filter((event) => "callId" in event && event.callId === callId);
  const asked = events.findLast((event) => "input" in event && "tool" in event);
  const end = events.findLast((event) => event.type === "ToolEnd" || event.type === "ToolBlocked");
  if (asked === undefined && end === undefined) return undefined;
  const input = asked !== undefined && "input" in asked ? asked.input : null;
  const tool = [asked, end].flatMap((event) => (event !== undefined && "tool" in event ? [event.tool] : []))[0] ?? "";
  const status = end?.type === "ToolEnd" ? end.status : end?.type === "ToolBlocked" ? "refused" : null;
  const content = end?.type === "ToolEnd" ? end.content : end?.type === "ToolBlocked" ? end.message : null;
  const details = end?.type === "ToolEnd" ? end.details : undefined;
  const change = recordedChange(details) ?? (status === "ok" ? changeInInput(input) : undefined);
  const diff = change === undefined ? null : diffOf(change);
  return { callId, tool, input, status, content, diff: diff === null ? null : { ...diff, lines: [...diff.lines] } };
}

/** Events that are read at once, at least. */
const MIN_CHUNK = 200;

/** The first events of a run after a number, as they are stored. Later ones are not read. */
async function storedEvents(
  context: ViewContext,
  id: string,
  after: number,
  limit: number,
): Promise<readonly AgentEvent[] | undefined> {
  if (isRecordingId(id)) return (await loadRun(context, id))?.events.filter(({ seq }) => seq > after);
  const place = await locateRun(context, id);
  if (place === undefined) return undefined;
  const chunkSize = Math.max(MIN_CHUNK, limit);
  const found: AgentEvent[] = [];
  let seq = after;
  while (found.length < limit) {
    const chunk = await context.stores.events.after(place.sessionId, seq, chunkSize);
    const last = chunk.at(-1);
    found.push(...chunk.filter((event) => event?.runId === place.runId));
    if (last === undefined || chunk.length < chunkSize) break;
    seq = last.seq;
  }
  return found.slice(0, limit);
}
