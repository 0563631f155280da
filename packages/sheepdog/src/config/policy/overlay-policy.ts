import {
  type DetectorName,
  detectorNames,
  type Level,
  type Limit,
  type LimitName,
  levels,
  limitNames,
  type Policy,
  type Rungs,
  secondOpinionModes,
  type ToolRule,
  toolKinds,
} from "@sheepdog/guardian";
import { allowance, count, limitUnits, silence, type Unit } from "./limit-units.ts";
import {
  addWrongValue,
  below,
  isOff,
  knownEntries,
  type ReadLocation,
  readOneOf,
  readPositive,
  unknownName,
} from "./policy-reader.ts";

/** Reads a value. A wrong value is a problem, and `current` stays. */
type Reader<T> = (value: unknown, current: T, location: ReadLocation) => T;

/** One reader for each key of a policy. The type makes a missing key a compile error. */
const readers: { readonly [K in keyof Required<Policy>]: Reader<Policy[K]> } = {
  name: readText,
  mode: readOneOf(["guide", "advise", "observe"]),
  attendedScale: readPositive,
  stallMs: (value, current, location) => readAmount(silence, value, location) ?? current,
  spawn: readSpawn,
  unpriced: readOneOf(["refuse-under-limit", "count-tokens"]),
  secondOpinion: readOneOf(secondOpinionModes),
  argumentChars: (value, current, location) =>
    isOff(value) ? undefined : (readAmount(orOff(count), value, location) ?? current),
  detectors: readDetectors,
  limits: readLimits,
  tools: readTools,
};

const policyKeys = Object.keys(readers) as (keyof Policy)[]; // the keys of a literal without an index signature

/** Overlays a partial policy on a complete one. Problems are added to `problems`, each with its path. */
export function overlayPolicy(base: Policy, partial: unknown, problems: string[]): Policy {
  const root: ReadLocation = { path: "", problems };
  const policy: Partial<Record<keyof Policy, unknown>> = { ...base };
  for (const [key, value] of knownEntries(partial, root, { keys: policyKeys, expected: "an object" })) {
    const read = readers[key] as Reader<unknown>; // the reader of this key takes and returns this key's type
    policy[key] = read(value, base[key], below(root, key));
    if (policy[key] === undefined) delete policy[key];
  }
  return policy as Policy; // every changed value came from its key's reader
}

function readText(value: unknown, current: string, location: ReadLocation): string {
  if (typeof value === "string") return value;
  addWrongValue(location, "a string", value);
  return current;
}

type AmountUnit = Pick<Unit, "read" | "expected">;

function readAmount({ read, expected }: AmountUnit, value: unknown, location: ReadLocation): number | undefined {
  const amount = read(value);
  if (amount === undefined) addWrongValue(location, expected, value);
  return amount;
}

function orOff({ read, expected }: Unit): AmountUnit {
  return { read, expected: `${expected}, or "off"` };
}

type Parts<K extends string, V> = Readonly<Partial<Record<K, V>>>;

/** Reads an object whose parts can each be switched off. */
interface PartsReader<K extends string, V> {
  readonly keys: readonly K[];
  /** What the object must be. */
  readonly expected: string;
  /** Returns undefined for a wrong value; the current one then stays. */
  readPart(key: K, value: unknown, part: { current: V | undefined; location: ReadLocation }): V | undefined;
}

function readParts<K extends string, V>(reader: PartsReader<K, V>): Reader<Parts<K, V>> {
  return (value, current, location) => {
    const parts: Partial<Record<K, V>> = { ...current };
    for (const [key, partValue] of knownEntries(value, location, reader)) {
      const part = { current: parts[key], location: below(location, key) };
      const next = isOff(partValue) ? undefined : (reader.readPart(key, partValue, part) ?? parts[key]);
      if (next === undefined) delete parts[key];
      else parts[key] = next;
    }
    return parts;
  };
}

/** Reads the rungs of each detector. Their order is checked later: one `--set` may need the next one to be valid. */
function readDetectors(value: unknown, detectors: Policy["detectors"], at: ReadLocation): Policy["detectors"] {
  const read = readParts<DetectorName, Rungs>({
    keys: detectorNames,
    expected: "an object",
    readPart: (_, rungs, { current = {}, location }) => readRungs(rungs, current, location),
  });
  return read(value, detectors, at);
}

const rungNames = ["suspect", ...levels] as const;

const readRungs = readParts<Level | "suspect", number>({
  keys: rungNames,
  expected: `"off" or an object with ${rungNames.join(", ")}`,
  readPart: (_, value, { current = 0, location }) => readPositive(value, current, location),
});

/** Reads the warning and the stop of each limit, in the unit of the limit. */
function readLimits(value: unknown, limits: Policy["limits"], at: ReadLocation): Policy["limits"] {
  const read = readParts<LimitName, Limit>({
    keys: limitNames,
    expected: "an object",
    readPart: (name, limit, { current = {}, location }) => readLimit(name)(limit, current, location),
  });
  return read(value, limits, at);
}

function readLimit(name: LimitName): Reader<Limit> {
  return readParts<"warn" | "stop", number | undefined>({
    keys: ["warn", "stop"],
    expected: '"off" or an object with warn, stop',
    readPart: (_, value, { location }) => readAmount(orOff(limitUnits[name]), value, location),
  });
}

function readSpawn(value: unknown, current: Policy["spawn"], location: ReadLocation): Policy["spawn"] {
  const spawn = { ...current };
  const keys = ["depth", "perRun", "perMinute"] as const;
  for (const [key, allowed] of knownEntries(value, location, { keys, expected: `an object with ${keys.join(", ")}` }))
    spawn[key] = readAmount(allowance, allowed, below(location, key)) ?? current[key];
  return spawn;
}

function readTools(value: unknown, current: readonly ToolRule[], location: ReadLocation): readonly ToolRule[] {
  if (Array.isArray(value))
    return value.map((rule, index) => readRule(rule, { ...location, path: `${location.path}[${index}]` }));
  addWrongValue(location, "a list of rules", value);
  return current;
}

const readKind = readOneOf(toolKinds);

function readRule(value: unknown, location: ReadLocation): ToolRule {
  const rule: { -readonly [K in keyof ToolRule]: ToolRule[K] } = { match: "" };
  const keys = ["match", "kind", "off", "scale"] as const;
  for (const [key, part] of knownEntries(value, location, { keys, expected: "an object" })) {
    if (key === "match") rule.match = readText(part, "", below(location, key));
    if (key === "kind") rule.kind = readKind(part, "unknown", below(location, key));
    if (key === "scale") rule.scale = readPositive(part, 1, below(location, key));
    if (key === "off") rule.off = part === "all" ? "all" : readDetectorList(part, below(location, key));
  }
  if (rule.match === "") addWrongValue(below(location, "match"), "the name of a tool or a glob", rule.match);
  return rule;
}

function readDetectorList(value: unknown, location: ReadLocation): readonly DetectorName[] {
  if (!Array.isArray(value)) addWrongValue(location, '"all" or a list of detectors', value);
  const names: readonly unknown[] = Array.isArray(value) ? value : [];
  return names.flatMap((name) => {
    const detector = detectorNames.find((detectorName) => detectorName === name);
    if (detector === undefined)
      location.problems.push(`${location.path}: ${unknownName("detector", String(name), detectorNames)}`);
    return detector ?? [];
  });
}
