import type { ProjectReach } from "./config-key.ts";
import { configShape, type NamedTable, type Section, type Shape, type Value } from "./config-shape.ts";
import { describeShape, showValue, suggestion } from "./describe-value.ts";
import { dottedKey, shownKey } from "./dotted-key.ts";
import type { Origin } from "./origin.ts";
import { readText } from "./read-text.ts";
import { findRuleProblems } from "./table-rules.ts";
import { unknownKey, unknownName } from "./unknown-key.ts";
import { type Expanded, hasVariables } from "./variables.ts";

/** One value that a layer sets. */
export interface Setting {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly reach: ProjectReach;
  readonly origin: Origin;
  /** `file:line:column`, or the name of the variable; empty for a flag. */
  readonly at: string;
  /** Whether the value contains a variable of the environment. */
  readonly hasVariables: boolean;
}

/** Where a layer comes from. */
export interface Source {
  originOf(path: readonly string[]): Origin;
  /** The location of a key or its value, in front of a problem. */
  locationOf(path: readonly string[], part: "key" | "value"): string;
  /** Expands variables. `untrusted`: they stay as they are. `none`: `${` has no meaning here. */
  readonly variables: ((text: string) => Expanded) | "untrusted" | "none";
  /** Whether a text may stand for a number or another type, as in the environment. */
  readonly isText: boolean;
}

/** The settings of a layer, and sentences about all its problems. */
export interface Layer {
  readonly settings: readonly Setting[];
  readonly problems: readonly string[];
  /** Unknown keys of an untrusted file, as dotted keys. They are ignored: no project may keep a user from working. */
  readonly unknownKeys?: readonly string[];
}

const MAX_PROBLEMS = 20;

/** Reads a layer of the configuration, or a file with another `shape`: a table with any of the keys. */
export function readLayer(table: unknown, source: Source, shape: Section = configShape): Layer {
  const reading: Reading = { source, root: shape, settings: [], problems: [], omittedProblems: 0, unknownKeys: [] };
  visit(reading, shape, table, { path: [], reach: "nothing" });
  for (const name of shape.needed)
    if (isTable(table) && !Object.hasOwn(table, name))
      addProblem(reading, [], "key", () => `the key ${showValue(name)} is missing`);
  refuseBothNames(reading);
  const { settings, problems, omittedProblems, unknownKeys } = reading;
  return {
    settings: settings.map(withKnownName),
    problems: omittedProblems === 0 ? problems : [...problems, `and ${omittedProblems} more problems of this kind`],
    unknownKeys,
  };
}

/** What was read so far. */
interface Reading {
  readonly source: Source;
  /** The shape of the whole layer. */
  readonly root: Section;
  readonly settings: Setting[];
  readonly problems: string[];
  omittedProblems: number;
  readonly unknownKeys: string[];
}

interface Location {
  readonly path: readonly string[];
  /** The reach of the key that contains this path. */
  readonly reach: ProjectReach;
}

/** Descends to what is set as one value: a single value or a list. */
function visit(reading: Reading, shape: Shape, input: unknown, { path, reach }: Location): void {
  const value = fromText(reading, shape, input);
  const location: Location = { path, reach: shape.note?.reach ?? reach };
  if (shape.kind === "either" && isTable(value)) visit(reading, shape.or, value, location);
  else if (shape.kind === "section" || shape.kind === "named") visitTable(reading, shape, value, location);
  else addSetting(reading, shape, value, location);
}

function visitTable(reading: Reading, shape: Section | NamedTable, value: unknown, location: Location): void {
  if (!isTable(value)) {
    wrongValue(reading, shape, value, location.path);
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    const path = [...location.path, name];
    const innerShape = shapeOfKey(reading, shape, path);
    if (innerShape !== undefined) visit(reading, innerShape, inner, { ...location, path });
  }
}

function addSetting(reading: Reading, shape: Shape, input: unknown, { path, reach }: Location): void {
  const { source, settings } = reading;
  const problemCount = reading.problems.length + reading.omittedProblems;
  const value = readValue(reading, shape, input, path);
  if (reading.problems.length + reading.omittedProblems > problemCount) return;
  settings.push({
    path,
    value,
    reach,
    origin: source.originOf(path),
    at: source.locationOf(path, "value"),
    hasVariables: source.variables !== "none" && containsVariables(input),
  });
}

/** The value as the configuration stores it. An invalid one adds problems, and its result is not used. */
function readValue(reading: Reading, shape: Shape, input: unknown, path: readonly string[]): unknown {
  const value = fromText(reading, shape, input);
  switch (shape.kind) {
    case "value":
      return readSingleValue(reading, shape, value, path);
    case "either":
      if (value === shape.word) return value;
      return Array.isArray(value) && shape.or.kind === "list"
        ? readValue(reading, shape.or, value, path)
        : wrongValue(reading, shape, value, path);
    case "list":
      if (!Array.isArray(value) || (shape.isNeverEmpty && value.length === 0))
        return wrongValue(reading, shape, value, path);
      return value.map((item, index) => readValue(reading, shape.each, item, [...path, String(index)]));
    default:
      return isTable(value) ? readTable(reading, shape, value, path) : wrongValue(reading, shape, value, path);
  }
}

/** Reads a table inside a list. */
function readTable(
  reading: Reading,
  shape: Section | NamedTable,
  table: Readonly<Record<string, unknown>>,
  path: readonly string[],
): unknown {
  for (const name of shape.kind === "section" ? shape.needed : [])
    if (!Object.hasOwn(table, name)) addProblem(reading, path, "key", () => `${shownKey(path)} has no ${name}`);
  if (shape.kind === "section") checkRules(reading, shape, table, path);
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, value]) => {
      const innerPath = [...path, name];
      const innerShape = shapeOfKey(reading, shape, innerPath);
      return innerShape === undefined ? [] : [[name, readValue(reading, innerShape, value, innerPath)]];
    }),
  );
}

/** A table with an unknown key breaks no rule: the key may be a wrong spelling of what the rules need. */
function checkRules(
  reading: Reading,
  { rules, keys }: Section,
  table: Readonly<Record<string, unknown>>,
  path: readonly string[],
): void {
  const names = Object.keys(table);
  if (rules === undefined || names.some((name) => !keys.has(name))) return;
  for (const { key, sentence } of findRuleProblems(rules, new Set(names)))
    addProblem(reading, key === undefined ? path : [...path, key], "key", () => `${shownKey(path)} ${sentence}`);
}

/** The shape of the last key of a path; undefined, and reported, if the table does not have it. */
function shapeOfKey(reading: Reading, shape: Section | NamedTable, path: readonly string[]): Shape | undefined {
  const name = path.at(-1) ?? "";
  if (shape.kind === "section") {
    const inner = shape.keys.get(name);
    if (inner === undefined) addUnknownKey(reading, path, () => unknownKey(path, shape, reading.root));
    return inner;
  }
  const { names } = shape;
  if (names?.includes(name) || (names === undefined && name !== "" && name !== "__proto__")) return shape.each;
  addUnknownKey(reading, path, () =>
    names === undefined ? `${JSON.stringify(name)} cannot be a name here` : unknownName(path, names),
  );
  return undefined;
}

function readSingleValue(reading: Reading, shape: Value, value: unknown, path: readonly string[]): unknown {
  const { variables } = reading.source;
  if (variables === "none" || typeof value !== "string" || !hasVariables(value))
    return shape.holds(value) ? value : wrongValue(reading, shape, value, path);
  if (variables === "untrusted" || isExpandedLater(path)) return value;
  const expanded = variables(value);
  if (!expanded.ok) return addProblem(reading, path, "value", () => `${shownKey(path)}: ${expanded.why}`);
  const read = readText(shape, expanded.text);
  if (shape.holds(read)) return read;
  return addProblem(reading, path, "value", () => {
    const expected = describeShape(shape);
    return `${shownKey(path)} is ${showValue(value)}; with its variables expanded it must be ${expected}`;
  });
}

/** A server with a variable that is not set fails when it starts, and keeps nothing else from working. */
function isExpandedLater([section, table]: readonly string[]): boolean {
  return section === "mcp" && table === "servers";
}

function fromText({ source }: Reading, shape: Shape, input: unknown): unknown {
  return source.isText && typeof input === "string" ? readText(shape, input) : input;
}

function wrongValue(reading: Reading, shape: Shape, value: unknown, path: readonly string[]): void {
  addProblem(reading, path, "value", () => {
    const key = path.length === 0 ? "the configuration" : shownKey(path);
    return `${key} is ${showValue(value)}; it must be ${describeShape(shape)}${suggestion(shape, value)}`;
  });
}

/** An unknown key is a problem, except in an untrusted file. */
function addUnknownKey(reading: Reading, path: readonly string[], sentence: () => string): void {
  if (reading.source.variables === "untrusted") reading.unknownKeys.push(dottedKey(path));
  else addProblem(reading, path, "key", sentence);
}

/** The sentence is built only if it is shown: finding the nearest name takes time. */
function addProblem(reading: Reading, path: readonly string[], part: "key" | "value", sentence: () => string): void {
  if (reading.problems.length >= MAX_PROBLEMS) {
    reading.omittedProblems++;
    return;
  }
  const at = reading.source.locationOf(path, part);
  reading.problems.push(at === "" ? sentence() : `${at}: ${sentence()}`);
}

function refuseBothNames(reading: Reading): void {
  const keys = new Set(reading.settings.map(({ path }) => dottedKey(path)));
  for (const setting of reading.settings) {
    const { path } = withKnownName(setting);
    if (path === setting.path || !keys.has(dottedKey(path))) continue;
    const sentence = `${shownKey(setting.path)} is another name of ${shownKey(path)}, which is also set; remove it`;
    addProblem(reading, setting.path, "key", () => sentence);
  }
}

/** Other names of prices, as in `[budget.pricing_overrides]` of other systems. */
const otherPriceNames: ReadonlyMap<string, string> = new Map([
  ["input_per_1m", "input"],
  ["output_per_1m", "output"],
]);

/** A setting under the name that the configuration uses. */
function withKnownName(setting: Setting): Setting {
  const { path, value } = setting;
  if (path.join(".") === "agent.enable_summarization")
    return { ...setting, path: ["agent", "context_strategy"], value: value === true ? "summarize" : "compact" };
  const price =
    path[0] === "budget" && path[1] === "pricing_overrides" ? otherPriceNames.get(path[3] ?? "") : undefined;
  return price === undefined ? setting : { ...setting, path: [...path.slice(0, 3), price] };
}

function containsVariables(value: unknown): boolean {
  if (typeof value === "string") return hasVariables(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(containsVariables);
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
