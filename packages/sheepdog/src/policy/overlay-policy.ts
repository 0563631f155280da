import {
  type DetectorName,
  detectorNames,
  type Limit,
  levels,
  limitNames,
  type Mode,
  type Policy,
  type Rungs,
  type ToolRule,
  toolKinds,
} from "@sheepdog/guardian";
import { below, expected, isOff, knownEntries, oneOf, type Place, positive } from "./read-value.ts";

type Read<T> = (value: unknown, before: T, place: Place) => T;

/** One reader for each key of a policy: a key that is added to the type is missed here by the compiler. */
const readers: { readonly [K in keyof Policy]: Read<Policy[K]> } = {
  name: readText,
  mode: (value, before, place) => oneOf<Mode>(["guide", "advise", "observe"], value, before, place),
  attendedScale: positive,
  stallMs: positive,
  detectors: (value, before, place) => readNamed<DetectorName, Rungs>(value, before, place, detectorNames, levels),
  limits: (value, before, place) => readNamed<keyof Policy["limits"], Limit>(value, before, place, limitNames, ["warn", "stop"]),
  tools: readTools,
};

/** Lays a partial policy over a whole one. What is wrong with it is noted in `problems`, each with its path. */
export function overlayPolicy(base: Policy, partial: unknown, problems: string[]): Policy {
  const place: Place = { path: "", problems };
  const keys = Object.keys(readers) as (keyof Policy)[]; // the keys of a literal without an index signature
  const changed: Partial<Record<keyof Policy, unknown>> = {};
  for (const [key, value] of knownEntries(partial, keys, place, "an object")) {
    const read = readers[key] as Read<unknown>; // the reader of this key takes and gives this key's type
    changed[key] = read(value, base[key], below(place, key));
  }
  return { ...base, ...changed } as Policy; // every changed value came from its key's reader
}

function readText(value: unknown, before: string, place: Place): string {
  if (typeof value === "string") return value;
  expected(place, "a string", value);
  return before;
}

/** Groups of numbers under known names: rungs by detector, amounts by limit. Each name and each number can be switched off. */
function readNamed<Name extends string, Group extends object>(
  value: unknown,
  before: Readonly<Partial<Record<Name, Group>>>,
  place: Place,
  names: readonly Name[],
  keys: readonly string[],
): Partial<Record<Name, Group>> {
  const groups: Partial<Record<Name, Group>> = { ...before };
  for (const [name, group] of knownEntries(value, names, place, "an object")) {
    if (isOff(group)) delete groups[name];
    else groups[name] = readNumbers(group, groups[name] ?? {}, below(place, name), keys) as Group; // its keys are those of the group, all optional numbers
  }
  return groups;
}

function readNumbers(value: unknown, before: object, place: Place, keys: readonly string[]): object {
  const numbers: Record<string, number> = { ...before };
  for (const [key, number] of knownEntries(value, keys, place, `"off" or an object with ${keys.join(", ")}`)) {
    if (isOff(number)) delete numbers[key];
    else numbers[key] = positive(number, numbers[key] ?? 0, below(place, key));
  }
  return numbers;
}

function readTools(value: unknown, before: readonly ToolRule[], place: Place): readonly ToolRule[] {
  if (Array.isArray(value)) return value.map((rule, index) => readRule(rule, { ...place, path: `${place.path}[${index}]` }));
  expected(place, "a list of rules", value);
  return before;
}

function readRule(value: unknown, place: Place): ToolRule {
  const rule: { -readonly [K in keyof ToolRule]: ToolRule[K] } = { match: "" };
  for (const [key, part] of knownEntries(value, ["match", "kind", "off", "scale"] as const, place, "an object")) {
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
  return names.map((name) => oneOf(detectorNames, name, "doom-loop", place));
}
