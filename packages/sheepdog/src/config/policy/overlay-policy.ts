import {
  type DetectorName,
  detectorNames,
  type Level,
  type LimitName,
  levels,
  limitNames,
  type Policy,
  type ToolRule,
  toolKinds,
} from "@sheepdog/guardian";
import { below, expected, isOff, knownEntries, oneOf, type Place, positive } from "./read-value.ts";
import { allowance, count, limitUnits, silence, type Unit } from "./units.ts";
import { unknownName } from "./unknown-name.ts";

type Read<T> = (value: unknown, before: T, place: Place) => T;

/** One reader for each key of a policy: a key that is added to the type is missed here by the compiler. */
const readers: { readonly [K in keyof Required<Policy>]: Read<Policy[K]> } = {
  name: readText,
  mode: (value, before, place) => oneOf(["guide", "advise", "observe"], value, before, place),
  attendedScale: positive,
  stallMs: (value, before, place) => readAmount(silence, value, place) ?? before,
  spawn: readSpawn,
  unpriced: (value, before, place) => oneOf(["refuse-under-limit", "count-tokens"], value, before, place),
  argumentChars: (value, before, place) =>
    isOff(value) ? undefined : (readAmount(orOff(count), value, place) ?? before),
  detectors: readDetectors,
  limits: readLimits,
  tools: readTools,
};

const policyKeys = Object.keys(readers) as (keyof Policy)[]; // the keys of a literal without an index signature

/** Lays a partial policy over a whole one. What is wrong with it is noted in `problems`, each with its path. */
export function overlayPolicy(base: Policy, partial: unknown, problems: string[]): Policy {
  const place: Place = { path: "", problems };
  const policy: Partial<Record<keyof Policy, unknown>> = { ...base };
  for (const [key, value] of knownEntries(partial, policyKeys, place, "an object")) {
    const read = readers[key] as Read<unknown>; // the reader of this key takes and gives this key's type
    policy[key] = read(value, base[key], below(place, key));
    if (policy[key] === undefined) delete policy[key];
  }
  return policy as Policy; // every changed value came from its key's reader
}

function readText(value: unknown, before: string, place: Place): string {
  if (typeof value === "string") return value;
  expected(place, "a string", value);
  return before;
}

function readAmount({ read, what }: Pick<Unit, "read" | "what">, value: unknown, place: Place): number | undefined {
  const amount = read(value);
  if (amount === undefined) expected(place, what, value);
  return amount;
}

function orOff({ read, what }: Unit): Pick<Unit, "read" | "what"> {
  return { read, what: `${what}, or "off"` };
}

type Parts<K extends string, V> = Readonly<Partial<Record<K, V>>>;

interface PartReader<K extends string, V> {
  readonly keys: readonly K[];
  /** What the whole must be. */
  readonly what: string;
  /** Undefined where the value is none; then what was there before stays. */
  read(key: K, value: unknown, before: V | undefined, place: Place): V | undefined;
}

/** Parts laid over those before. Each of them can be switched off. */
function readParts<K extends string, V>(
  value: unknown,
  before: Parts<K, V>,
  place: Place,
  { keys, what, read }: PartReader<K, V>,
): Parts<K, V> {
  const parts: Partial<Record<K, V>> = { ...before };
  for (const [key, part] of knownEntries(value, keys, place, what)) {
    const next = isOff(part) ? undefined : (read(key, part, parts[key], below(place, key)) ?? parts[key]);
    if (next === undefined) delete parts[key];
    else parts[key] = next;
  }
  return parts;
}

/** Rungs by detector. Their order is looked at when the policy is whole: one `--set` may go where only the next one follows. */
function readDetectors(value: unknown, before: Policy["detectors"], place: Place): Policy["detectors"] {
  return readParts(value, before, place, {
    keys: detectorNames,
    what: "an object",
    read: (_, rungs, known = {}, at) => readParts(rungs, known, at, rung),
  });
}

const rung: PartReader<Level, number> = {
  keys: levels,
  what: `"off" or an object with ${levels.join(", ")}`,
  read: (_, value, known = 0, place) => positive(value, known, place),
};

/** Warnings and stops by limit, each in its unit. */
function readLimits(value: unknown, before: Policy["limits"], place: Place): Policy["limits"] {
  return readParts(value, before, place, {
    keys: limitNames,
    what: "an object",
    read: (name, limit, known = {}, at) => readParts(limit, known, at, ends(name)),
  });
}

function ends(name: LimitName): PartReader<"warn" | "stop", number> {
  return {
    keys: ["warn", "stop"],
    what: '"off" or an object with warn, stop',
    read: (_, value, __, place) => readAmount(orOff(limitUnits[name]), value, place),
  };
}

function readSpawn(value: unknown, before: Policy["spawn"], place: Place): Policy["spawn"] {
  const spawn = { ...before };
  for (const [key, allowed] of knownEntries(
    value,
    ["depth", "perRun", "perMinute"],
    place,
    "an object with depth, perRun, perMinute",
  ))
    spawn[key] = readAmount(allowance, allowed, below(place, key)) ?? before[key];
  return spawn;
}

function readTools(value: unknown, before: readonly ToolRule[], place: Place): readonly ToolRule[] {
  if (Array.isArray(value))
    return value.map((rule, index) => readRule(rule, { ...place, path: `${place.path}[${index}]` }));
  expected(place, "a list of rules", value);
  return before;
}

function readRule(value: unknown, place: Place): ToolRule {
  const rule: { -readonly [K in keyof ToolRule]: ToolRule[K] } = { match: "" };
  for (const [key, part] of knownEntries(value, ["match", "kind", "off", "scale"], place, "an object")) {
    if (key === "match") rule.match = readText(part, "", below(place, key));
    if (key === "kind") rule.kind = oneOf(toolKinds, part, "unknown", below(place, key));
    if (key === "scale") rule.scale = positive(part, 1, below(place, key));
    if (key === "off") rule.off = part === "all" ? "all" : readDetectorList(part, below(place, key));
  }
  if (rule.match === "") expected(below(place, "match"), "the name of a tool or a glob", rule.match);
  return rule;
}

function readDetectorList(value: unknown, place: Place): readonly DetectorName[] {
  if (!Array.isArray(value)) expected(place, '"all" or a list of detectors', value);
  const names: readonly unknown[] = Array.isArray(value) ? value : [];
  return names.flatMap((name) => {
    const known = detectorNames.find((each) => each === name);
    if (known === undefined)
      place.problems.push(`${place.path}: ${unknownName("detector", String(name), detectorNames)}`);
    return known ?? [];
  });
}
