import type { AgentEvent } from "../protocol/events.ts";
import { redactDeep } from "../secrets/redact-deep.ts";
import { type LogLevel, levelOf } from "./log-level.ts";

/** A line of a run log: an event with its level, and with how long the run took where it ends. */
export type LogLine = AgentEvent & { readonly level: LogLevel; readonly durationMs?: number };

const ids: ReadonlySet<string> = new Set([
  "type",
  "sessionId",
  "runId",
  "callId",
  "childId",
  "episode",
  "tool",
  "model",
]);
/** Fields that hold whatever a tool took or gave. */
const open: ReadonlySet<string> = new Set(["input", "content", "details"]);

/** The line an event makes at a level, without secrets (where a mask is given) and with inputs and outputs cut to `maxChars`; undefined where it makes none. */
export function logLine(
  event: AgentEvent,
  options: {
    readonly level: LogLevel;
    readonly maxChars: number;
    readonly mask: ((text: string) => string) | undefined;
    readonly startedAt: number | undefined;
  },
): string | undefined {
  const level = levelOf[event.type];
  if (level === undefined || level > options.level) return undefined;
  const isEnd = event.type === "RunComplete" || event.type === "RunError";
  if (options.mask === undefined && !isEnd) {
    const json = JSON.stringify(event);
    if (json.length <= options.maxChars || !isLong(event, options.maxChars))
      return `{"level":${level},${json.slice(1)}\n`; // as most are
  }
  const duration =
    isEnd && options.startedAt !== undefined ? { durationMs: Math.max(0, event.at - options.startedAt) } : {};
  const whole: Record<string, unknown> = { level, ...event, ...duration };
  const line = options.mask === undefined ? whole : { ...(redactDeep(whole, ids) as typeof whole) }; // masking keeps an object an object
  for (const name of open) if (line[name] !== undefined) line[name] = cut(line[name], options.maxChars);
  return `${JSON.stringify(line)}\n`;
}

/** Whether something in an event may have to be cut. */
function isLong(event: AgentEvent, maxChars: number): boolean {
  if ("input" in event || "details" in event) return true;
  return "content" in event && event.content.length > maxChars;
}

/** Small values as they are; the beginning and the end of what is too long, as text. */
function cut(value: unknown, maxChars: number): unknown {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  if (text.length <= maxChars) return value;
  const half = Math.floor(maxChars / 2);
  return `${text.slice(0, half)}… [${text.length - 2 * half} characters left out] …${text.slice(text.length - half)}`;
}
