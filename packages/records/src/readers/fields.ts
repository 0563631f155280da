import type { JsonObject } from "../trajectory/json-fields.ts";
import { isObject } from "../trajectory/parse-json.ts";
import type { RecordedStatus } from "../trajectory/recorded-run.ts";

/**
 * Fields of formats that change without notice: a value of another type counts as missing, so that one odd field does
 * not lose a run.
 */

/** A text that is not empty. */
export function textField(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** An object; an empty one for anything else. */
export function objectField(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** A list; an empty one for anything else. */
export function listField(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A request has fewer tokens: a larger number is a recording error. */
const MAX_AMOUNT = 1e9;

/** A whole number of tokens. */
export function tokensField(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value < MAX_AMOUNT ? Math.round(value) : undefined;
}

/** An amount of dollars. */
export function dollarsField(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value < MAX_AMOUNT ? value : undefined;
}

const MIN_TIME = Date.UTC(2000, 0);
const MAX_TIME = Date.UTC(2200, 0);

/** Milliseconds since 1970 from an ISO date, or from a number of seconds, milliseconds, micro- or nanoseconds. */
export function timeField(value: unknown): number | undefined {
  const number = typeof value === "string" ? Date.parse(value) : typeof value === "number" ? value : Number.NaN;
  for (const unit of [1, 1_000, 1e-3, 1e-6]) {
    const time = number * unit;
    if (time >= MIN_TIME && time < MAX_TIME) return Math.round(time);
  }
  return undefined;
}

const statuses: ReadonlyMap<unknown, RecordedStatus> = new Map([
  ["denied", "denied"],
  ["timeout", "timeout"],
  ["interrupted", "interrupted"],
  ["cancelled", "interrupted"],
  ["unfinished", "interrupted"],
  ["unknown-tool", "unknown-tool"],
  ["invalid-arguments", "invalid-arguments"],
]);

/** Why a call has no ordinary result, in the words of Sheepdog. */
export function statusField(value: unknown): RecordedStatus | undefined {
  return statuses.get(value);
}

/** An object with this one key, or without any key when the value is undefined. */
export function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }; // a computed key has type string
}
