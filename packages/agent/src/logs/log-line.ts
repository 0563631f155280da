import type { AgentEvent } from "../protocol/events.ts";
import { type LogLevel, levelOf } from "./log-level.ts";
import type { TurnRecord } from "./turn-record.ts";

/**
 * A line of a run log: an event with its log level. The end of a run also has the duration of the run, and the end of a
 * turn its reply: text, calls and tokens.
 */
export type LogLine = AgentEvent & {
  readonly level: LogLevel;
  readonly durationMs?: number;
  readonly reply?: TurnRecord;
};

export interface LogLineOptions {
  readonly level: LogLevel;
  /** Maximum length of one input, output or reply. */
  readonly maxChars: number;
  readonly startedAt: number | undefined;
  /** The turn that ends with this event. */
  readonly turn?: TurnRecord | undefined;
}

/** Fields that hold the input or output of a tool, or a reply. */
const longFields = ["input", "content", "details", "text", "thinking"] as const;

/** The line of an event; undefined when the event is not logged at this level. */
export function logLine(event: AgentEvent, options: LogLineOptions): string | undefined {
  const { maxChars, startedAt } = options;
  const level = levelOf[event.type];
  if (level === undefined || level > options.level) return undefined;
  const isEnd = event.type === "RunComplete" || event.type === "RunError";
  const duration = isEnd && startedAt !== undefined ? { durationMs: Math.max(0, event.at - startedAt) } : {};
  const reply = options.turn === undefined ? {} : { reply: shortenTurn(options.turn, maxChars) };
  const line: Record<string, unknown> = { level, ...event, ...duration, ...reply };
  if (options.level < 3) delete line["thinking"];
  for (const name of longFields) if (line[name] !== undefined) line[name] = shorten(line[name], maxChars);
  return `${JSON.stringify(line)}\n`;
}

function shortenTurn({ text, calls, usage }: TurnRecord, maxChars: number): Readonly<Record<string, unknown>> {
  const shortCalls = calls.map((call) => ({ ...call, input: shorten(call.input, maxChars) }));
  return { text: shorten(text, maxChars), calls: shortCalls, usage };
}

/** Returns short values unchanged. Of long ones, the beginning and the end remain, as text. */
function shorten(value: unknown, maxChars: number): unknown {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  if (text.length <= maxChars) return value;
  const half = Math.floor(maxChars / 2);
  const [start, end] = [text.slice(0, half), text.slice(text.length - half)];
  return `${start}… [${text.length - 2 * half} characters left out] …${end}`;
}
