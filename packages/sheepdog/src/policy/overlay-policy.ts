import { type DetectorName, detectorNames, detectors, levels, type Mode, type Policy, type Rungs, type ToolRule, toolKinds } from "@sheepdog/guardian";
import { below, expected, isOff, knownEntries, type Names, oneOf, oneOfNames, type Place, positive } from "./read-value.ts";

type Read<T> = (value: unknown, before: T, place: Place) => T;

/** What nothing looks at yet. To accept it would be a promise that is not kept. */
type UnavailableKey = "stallMs" | "limits";
const unavailableKeys: readonly UnavailableKey[] = ["stallMs", "limits"];

/** One reader for each available key of a policy: a key that is added to the type is missed here by the compiler. */
const readers: { readonly [K in Exclude<keyof Policy, UnavailableKey>]: Read<Policy[K]> } = {
  name: readText,
  mode: (value, before, place) => oneOf<Mode>(["guide", "advise", "observe"], value, before, place),
  attendedScale: positive,
  detectors: readDetectors,
  tools: readTools,
};

const policyKeys: Names<keyof typeof readers> = {
  available: Object.keys(readers) as (keyof typeof readers)[], // the keys of a literal without an index signature
  unavailable: unavailableKeys,
};

const availableDetectors: readonly DetectorName[] = detectors.map((detector) => detector.name);
const detectorKeys: Names<DetectorName> = {
  available: availableDetectors,
  unavailable: detectorNames.filter((name) => !availableDetectors.includes(name)),
};

const ruleKeys: Names<keyof ToolRule> = { available: ["match", "kind", "off", "scale"], unavailable: [] };

/** Lays a partial policy over a whole one. What is wrong with it is noted in `problems`, each with its path. */
export function overlayPolicy(base: Policy, partial: unknown, problems: string[]): Policy {
  const place: Place = { path: "", problems };
  const changed: Partial<Record<keyof Policy, unknown>> = {};
  for (const [key, value] of knownEntries(partial, policyKeys, place, "an object")) {
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

/** Rungs by detector. Each detector and each rung can be switched off. */
function readDetectors(value: unknown, before: Policy["detectors"], place: Place): Policy["detectors"] {
  const read: Partial<Record<DetectorName, Rungs>> = { ...before };
  for (const [name, rungs] of knownEntries(value, detectorKeys, place, "an object")) {
    if (isOff(rungs)) delete read[name];
    else read[name] = readRungs(rungs, read[name] ?? {}, below(place, name));
  }
  return read;
}

/** Their order is looked at when the policy is whole: one `--set` may go where only the next one follows. */
function readRungs(value: unknown, before: Rungs, place: Place): Rungs {
  const rungs: { -readonly [K in keyof Rungs]: Rungs[K] } = { ...before };
  for (const [level, rung] of knownEntries(value, { available: levels, unavailable: [] }, place, `"off" or an object with ${levels.join(", ")}`)) {
    if (isOff(rung)) delete rungs[level];
    else rungs[level] = positive(rung, rungs[level] ?? 0, below(place, level));
  }
  return rungs;
}

function readTools(value: unknown, before: readonly ToolRule[], place: Place): readonly ToolRule[] {
  if (Array.isArray(value)) return value.map((rule, index) => readRule(rule, { ...place, path: `${place.path}[${index}]` }));
  expected(place, "a list of rules", value);
  return before;
}

function readRule(value: unknown, place: Place): ToolRule {
  const rule: { -readonly [K in keyof ToolRule]: ToolRule[K] } = { match: "" };
  for (const [key, part] of knownEntries(value, ruleKeys, place, "an object")) {
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
  return names.map((name) => oneOfNames(detectorKeys, name, "doom-loop", place));
}
