/** Thrown when a field has the wrong type. The message names the field, its type and the expected type. */
export class MalformedField extends Error {}

/** An object parsed from JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns the value as an object, or throws `MalformedField`. */
export function asObject(value: unknown, path: string): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrongType(path, value, "an object");
  return value as JsonObject; // an object that is no array has string keys
}

/** Returns the value as a list, or throws `MalformedField`. */
export function asList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrongType(path, value, "a list");
  return value;
}

/** Returns a string; undefined for null and for a missing value. */
export function asText(value: unknown, path: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw wrongType(path, value, "a string");
  return value;
}

/** Returns a number; undefined for null and for a missing value. */
export function asNumber(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number") throw wrongType(path, value, "a number");
  return value;
}

/** Upper bound for tokens and dollars of one step: a larger number is a recording error. */
const MAX_AMOUNT = 1e9;

/** Returns an amount of tokens or dollars; undefined for any other value, so that bad usage does not lose the run. */
export function asAmount(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value < MAX_AMOUNT ? value : undefined;
}

/** Returns a whole number of tokens; undefined for any other value. Some gateways state fractions of tokens. */
export function asTokens(value: unknown): number | undefined {
  const amount = asAmount(value);
  return amount === undefined ? undefined : Math.round(amount);
}

/** Returns a boolean; null for null and for a missing value. */
export function asFlag(value: unknown, path: string): boolean | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "boolean") throw wrongType(path, value, "true, false or null");
  return value;
}

/** Later times are recording errors, such as nanoseconds. */
const MAX_TIME = Date.UTC(2200, 0);

/**
 * Returns milliseconds since 1970 from a number or an ISO date; undefined for null, for a missing value and for a time
 * before 1970 or after 2200, so that a wrong unit does not lose the run.
 */
export function asTime(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const time = typeof value === "string" ? Date.parse(value) : value;
  const expected = "milliseconds since 1970 or an ISO date";
  if (typeof time !== "number") throw wrongType(path, value, expected);
  if (Number.isNaN(time)) throw new MalformedField(`${path} is not a date; it must be ${expected}`);
  return time >= 0 && time < MAX_TIME ? time : undefined;
}

/** Arguments and results are nested less deeply. */
const MAX_DEPTH = 64;
const TOO_DEEP = "[too deep]";

/** Returns the value; what is nested too deeply in it is replaced by a word, since no function here could walk it. */
export function asNested(value: unknown): unknown {
  return isDeeper(value, MAX_DEPTH) ? cut(value, MAX_DEPTH) : value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}

function cut(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((item) => cut(item, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cut(item, levels - 1)]));
}

function wrongType(path: string, value: unknown, expected: string): MalformedField {
  const actual = value === undefined ? "missing" : typeName(value);
  return new MalformedField(`${path} is ${actual}; it must be ${expected}`);
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
