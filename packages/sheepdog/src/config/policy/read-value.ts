import { unknownName } from "./unknown-name.ts";

/** Reads one value of a policy. What is wrong goes to `problems`, and the value that was there before stays. */
export interface Place {
  readonly path: string;
  readonly problems: string[];
}

/** The place of a key below another. */
export function below(place: Place, key: string): Place {
  return { path: place.path === "" ? key : `${place.path}.${key}`, problems: place.problems };
}

/** Notes what a value would have to be. */
export function expected(place: Place, what: string, value: unknown): void {
  const shown = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "nothing"); // JSON has no Infinity
  place.problems.push(
    `${place.path === "" ? "the policy" : place.path} is ${shown.length > 40 ? `${shown.slice(0, 39)}…` : shown}; it must be ${what}`,
  );
}

/** The keys and values of an object whose keys are all known; the others are noted, each with the nearest that exists. */
export function knownEntries<K extends string>(
  value: unknown,
  keys: readonly K[],
  place: Place,
  what: string,
): [K, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    expected(place, what, value);
    return [];
  }
  return Object.entries(value).filter((entry): entry is [K, unknown] => {
    const [key] = entry;
    const isKnown = keys.some((name) => name === key);
    if (!isKnown) place.problems.push(`${place.path === "" ? "" : `${place.path}: `}${unknownName("key", key, keys)}`);
    return isKnown;
  });
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

/** Whether a value switches something off. */
export function isOff(value: unknown): boolean {
  return value === "off" || value === false || value === null;
}
