import type { AgentEvent } from "@sheepdog/agent/timeline";
import { z } from "zod";

/** A line of a file change. `number` counts the lines of the new file, or of the old one for a removed line. */
const diffLineSchema = z.object({ sign: z.enum(["+", "-", " "]), text: z.string(), number: z.number() });
export type WireDiffLine = Readonly<z.infer<typeof diffLineSchema>>;

/** The change that a call makes to a file. */
export const diffSchema = z.object({ path: z.string(), lines: z.array(diffLineSchema) });

/**
 * An event as the API sends it. Long texts (`content`, `text`, `input` values) are cut to about 4,000 characters, and
 * `cut` has the whole length of each by its field; the call itself can be loaded whole. `details` of a call is replaced
 * by `diff`, the change it made to a file.
 */
export type WireEvent = AgentEvent & {
  readonly cut?: Readonly<Record<string, number>>;
  readonly diff?: { readonly path: string; readonly lines: readonly WireDiffLine[]; readonly isCut: boolean };
};

/** Events are described by docs/events.md; the API checks only what every event has. */
export const wireEventSchema = z.looseObject({
  type: z.string(),
  seq: z.number(),
  at: z.number(),
  sessionId: z.string(),
  runId: z.string(),
  severity: z.enum(["debug", "info", "warning", "error"]),
});

export const eventsQuerySchema = z.object({
  /** The sequence number of the last event that is known. */
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(5_000).default(2_000),
});

/** A page of the events of one run, in order. */
export const eventsPageSchema = z.object({
  events: z.array(wireEventSchema),
  /** Whether there are more after these. */
  hasMore: z.boolean(),
  /** How many events could not be read. */
  unreadable: z.number(),
  /** Everything up to this position of the live stream is saved: follow it from here. */
  position: z.number(),
});
export interface EventsPage extends Omit<z.infer<typeof eventsPageSchema>, "events"> {
  readonly events: readonly WireEvent[];
}

/** A call with its whole input and content, and the whole diff. */
export const wholeCallSchema = z.object({
  callId: z.string(),
  tool: z.string(),
  input: z.unknown(),
  status: z.string().nullable(),
  content: z.string().nullable(),
  diff: diffSchema.nullable(),
});
export type WholeCall = z.infer<typeof wholeCallSchema>;

/**
 * A message of the live stream `/api/stream` (server-sent events).
 *
 * - `events`: events that were saved together, with the position as the id of the message. A client that reconnects
 *   with `Last-Event-ID` receives everything after that position, each message once.
 * - `live`: events as they happen, before they are saved; without an id. Slow clients miss some of them. Those that are
 *   saved come again in `events`, with the same `sessionId` and `seq`.
 * - `reset`: the position is unknown here (the data was removed or replaced); load everything again.
 */
export type StreamMessage =
  | { readonly type: "events"; readonly position: number; readonly events: readonly WireEvent[] }
  | { readonly type: "live"; readonly events: readonly WireEvent[] }
  | { readonly type: "reset"; readonly position: number };

export const streamQuerySchema = z.object({
  /** Only the events of this session and its subagents. */
  session: z.string().optional(),
  /** The position to start after, if there is no `Last-Event-ID`; default: the newest. */
  after: z.coerce.number().int().min(0).optional(),
  /** Whether to send `live` messages too. */
  live: z.stringbool().default(true),
});
