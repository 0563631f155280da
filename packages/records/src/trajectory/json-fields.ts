/** Thrown by the narrowing functions; its message is a sentence about what was wrong and what would be right. */
export class Malformed extends Error {}

/** A plain object read from JSON. */
export type Fields = Readonly<Record<string, unknown>>;

/** An object, or a sentence that it must be one. */
export function asObject(value: unknown, path: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(path, value, "an object");
  return value as Fields; // an object that is no array: every key can be asked for
}

/** A list, or a sentence that it must be one. */
export function asList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(path, value, "a list");
  return value;
}

/** A string; null and missing are undefined. */
export function asText(value: unknown, path: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw wrong(path, value, "a string");
  return value;
}

/** A number; null and missing are undefined. */
export function asNumber(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number") throw wrong(path, value, "a number");
  return value;
}

/** No step uses more, of tokens or of dollars: a larger number is a slip of whoever wrote it. */
const ABSURD = 1e9;

/** What was used, as a number; whatever cannot be an amount was not recorded, and no reason to lose the run. */
export function asAmount(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value < ABSURD ? value : undefined;
}

/** True or false; missing is null. */
export function asFlag(value: unknown, path: string): boolean | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "boolean") throw wrong(path, value, "true, false or null");
  return value;
}

/** Milliseconds since 1970, from a number or an ISO date; null and missing are undefined. */
export function asTime(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const time = typeof value === "string" ? Date.parse(value) : value;
  if (typeof time !== "number") throw wrong(path, value, "milliseconds since 1970 or an ISO date");
  if (Number.isNaN(time))
    throw new Malformed(`${path} is not a date; it must be milliseconds since 1970 or an ISO date`);
  return time;
}

function wrong(path: string, value: unknown, expected: string): Malformed {
  return new Malformed(
    value === undefined
      ? `${path} is missing; it must be ${expected}`
      : `${path} is ${kindOf(value)}; it must be ${expected}`,
  );
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
