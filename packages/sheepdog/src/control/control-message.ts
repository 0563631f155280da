import { type LimitName, limitNames } from "@sheepdog/guardian";

/**
 * Words to a run that another process works off. A limit is in its own unit: nano-dollars, tokens, turns, milliseconds; 0 is none. `more` is on top of what holds
 * when the order is carried out: only the run itself knows that.
 */
export type ControlMessage =
  | { readonly type: "limit"; readonly limit: LimitName; readonly stop: number; readonly warn?: number }
  | { readonly type: "limit"; readonly limit: LimitName; readonly more: number }
  | { readonly type: "stop" }
  | { readonly type: "steer"; readonly text: string };

/** Reads an order as it was written; undefined where it is none. */
export function parseMessage(text: string): ControlMessage | undefined {
  const said = parsed(text);
  if (typeof said !== "object" || said === null) return undefined;
  const { type, limit, stop, warn, more, text: words } = said as Readonly<Record<string, unknown>>; // an object: its fields are looked at one by one
  if (type === "stop") return { type };
  if (type === "steer") return typeof words === "string" && words.trim() !== "" ? { type, text: words } : undefined;
  const name = limitNames.find((each) => each === limit);
  if (type !== "limit" || name === undefined) return undefined;
  if (stop === undefined && isAmount(more) && more > 0) return { type, limit: name, more };
  if (!isAmount(stop) || more !== undefined || (warn !== undefined && !isAmount(warn))) return undefined;
  return { type, limit: name, stop, ...(warn === undefined ? {} : { warn }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // told as a file that holds no order
  }
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
