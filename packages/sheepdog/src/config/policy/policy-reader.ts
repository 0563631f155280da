import { closestName } from "@sheepdog/guardian";

/** The path of a value in a policy, and the list to which its problems are added. */
export interface ReadLocation {
  readonly path: string;
  readonly problems: string[];
}

/** The location of a key below another one. */
export function below(location: ReadLocation, key: string): ReadLocation {
  return { path: location.path === "" ? key : `${location.path}.${key}`, problems: location.problems };
}

/** Adds a problem: the value, and what it must be. */
export function addWrongValue({ path, problems }: ReadLocation, expected: string, value: unknown): void {
  const json = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? "nothing"); // JSON has no Infinity
  const shown = json.length > 40 ? `${json.slice(0, 39)}…` : json;
  problems.push(`${path === "" ? "the policy" : path} is ${shown}; it must be ${expected}`);
}

/** The entries of an object. Each unknown key is a problem. */
export function knownEntries<K extends string>(
  value: unknown,
  location: ReadLocation,
  { keys, expected }: { readonly keys: readonly K[]; readonly expected: string },
): [K, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    addWrongValue(location, expected, value);
    return [];
  }
  const prefix = location.path === "" ? "" : `${location.path}: `;
  return Object.entries(value).filter((entry): entry is [K, unknown] => {
    const [key] = entry;
    const isKnown = keys.some((name) => name === key);
    if (!isKnown) location.problems.push(`${prefix}${unknownName("key", key, keys)}`);
    return isKnown;
  });
}

/** Describes an unknown name, with the nearest valid one or all valid ones. */
export function unknownName(noun: "key" | "detector", name: string, valid: readonly string[]): string {
  const near = closestName(name, valid);
  const hint = near === undefined ? `valid are ${valid.join(", ")}` : `did you mean "${near}"?`;
  return `unknown ${noun} "${name}"; ${hint}`;
}

/** Reads a finite number above zero. A wrong value is a problem, and `current` stays. */
export function readPositive(value: unknown, current: number, location: ReadLocation): number {
  if (typeof value === "number" && value > 0 && Number.isFinite(value)) return value;
  addWrongValue(location, "a finite number above 0", value);
  return current;
}

/** Creates a reader for one of a few words. A wrong value is a problem, and `current` stays. */
export function readOneOf<T extends string>(
  words: readonly T[],
): (value: unknown, current: T, location: ReadLocation) => T {
  return (value, current, location) => {
    const match = words.find((word) => word === value);
    if (match === undefined) addWrongValue(location, words.map((word) => `"${word}"`).join(" or "), value);
    return match ?? current;
  };
}

/** Whether a value switches something off. */
export function isOff(value: unknown): boolean {
  return value === "off" || value === false || value === null;
}
