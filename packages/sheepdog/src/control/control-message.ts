import { type LimitName, limitNames } from "@sheepdog/guardian";

/**
 * A message to a run of another process. A limit is in its own unit: nano-dollars, tokens, turns or milliseconds; 0 is
 * no limit. `more` is added to the limit in force when the run applies the message: only the run knows that limit.
 */
export type ControlMessage =
  | { readonly type: "limit"; readonly limit: LimitName; readonly stop: number; readonly warn?: number }
  | { readonly type: "limit"; readonly limit: LimitName; readonly more: number }
  | { readonly type: "stop" }
  | { readonly type: "steer"; readonly text: string };

/** Parses a message file; undefined if its content is not a valid message. */
export function parseMessage(json: string): ControlMessage | undefined {
  const value = parseJson(json);
  if (typeof value !== "object" || value === null) return undefined;
  const { type, limit, stop, warn, more, text } = value as Readonly<Record<string, unknown>>; // each field is checked
  if (type === "stop") return { type };
  if (type === "steer") return typeof text === "string" && text.trim() !== "" ? { type, text } : undefined;
  const name = limitNames.find((limitName) => limitName === limit);
  if (type !== "limit" || name === undefined) return undefined;
  if (stop === undefined && isAmount(more) && more > 0) return { type, limit: name, more };
  if (!isAmount(stop) || more !== undefined || (warn !== undefined && !isAmount(warn))) return undefined;
  return { type, limit: name, stop, ...(warn === undefined ? {} : { warn }) };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // reported as a file without a valid message
  }
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
