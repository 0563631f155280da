import { unknownKey } from "./unknown-key.ts";

/** Reads one value of a policy. What is wrong goes to `problems`, and the value that was there before stays. */
export interface Place {
  readonly path: string;
  readonly problems: string[];
}

/** The names that may stand somewhere, and those that will in a later version. */
export interface Names<K extends string> {
  readonly available: readonly K[];
  readonly unavailable: readonly string[];
}

/** The place of a key below another. */
export function below(place: Place, key: string): Place {
  return { path: place.path === "" ? key : `${place.path}.${key}`, problems: place.problems };
}

/** Notes what a value would have to be. */
export function expected(place: Place, what: string, value: unknown): void {
  const shown = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "nothing"); // JSON has no Infinity
  place.problems.push(`${place.path === "" ? "the policy" : place.path} is ${shown.length > 40 ? `${shown.slice(0, 39)}…` : shown}; it must be ${what}`);
}

/** The keys and values of an object whose keys are all available; the others are noted, the unknown with the nearest that exists. */
export function knownEntries<K extends string>(value: unknown, keys: Names<K>, place: Place, what: string): [K, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    expected(place, what, value);
    return [];
  }
  return Object.entries(value).filter((entry): entry is [K, unknown] => {
    const [key] = entry;
    if (keys.available.some((name) => name === key)) return true;
    if (keys.unavailable.includes(key)) place.problems.push(notAvailable(below(place, key).path, keys));
    else place.problems.push(`${place.path === "" ? "" : `${place.path}: `}${unknownKey(key, keys.available)}`);
    return false;
  });
}

function notAvailable(what: string, { available }: Names<string>): string {
  return `${what} is not available in this version; available are ${available.join(", ")}`;
}

/** A finite number above zero. */
export function positive(value: unknown, before: number, place: Place): number {
  if (typeof value === "number" && value > 0 && Number.isFinite(value)) return value;
  expected(place, "a finite number above 0", value);
  return before;
}

/** One of a few words. */
export function oneOf<T extends string>(words: readonly T[], value: unknown, before: T, place: Place): T {
  const found = words.find((word) => word === value);
  if (found === undefined) expected(place, words.map((word) => `"${word}"`).join(" or "), value);
  return found ?? before;
}

/** One of some names, where a name that is not available yet has its own sentence. */
export function oneOfNames<K extends string>(names: Names<K>, value: unknown, before: K, place: Place): K {
  const isLater = names.unavailable.some((name) => name === value);
  if (!isLater) return oneOf(names.available, value, before, place);
  place.problems.push(`${place.path}: ${notAvailable(JSON.stringify(value), names)}`);
  return before;
}

/** Whether a value switches something off. */
export function isOff(value: unknown): boolean {
  return value === "off" || value === false || value === null;
}
