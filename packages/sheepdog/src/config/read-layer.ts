import { shownKey } from "./dotted-key.ts";
import { type Expanded, hasVariables } from "./expand.ts";
import type { Reach } from "./key.ts";
import type { Origin } from "./origin.ts";
import { readText } from "./read-text.ts";
import { configShape, type Named, type Section, type Shape, type Value } from "./shape.ts";
import { unknownKey, unknownName } from "./unknown-key.ts";
import { perhaps, shown, wordsOf } from "./words.ts";

/** One value that a layer sets. */
export interface Setting {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly reach: Reach;
  readonly origin: Origin;
  /** `file:line:column`, or the name of the variable; empty for a flag. */
  readonly at: string;
  /** Whether it asks for the environment. */
  readonly hasVariables: boolean;
}

/** Where a layer comes from. */
export interface Source {
  originOf(path: readonly string[]): Origin;
  /** Where a key, or its value, is: what a problem begins with. */
  placeOf(path: readonly string[], part: "key" | "value"): string;
  /** How variables are filled in; an untrusted file may have none, and elsewhere texts are what they are. */
  readonly variables: ((text: string) => Expanded) | "untrusted" | "none";
  /** Whether a text may stand for a number and the like, as it has to in the environment. */
  readonly isText: boolean;
}

/** What a layer sets, and sentences about all that is wrong with it. */
export interface Layer {
  readonly settings: readonly Setting[];
  readonly problems: readonly string[];
}

/** Who has so many problems has read enough. */
const mostProblems = 20;

/** Reads a layer of the configuration: a table with any part of what can be configured. */
export function readLayer(table: unknown, source: Source): Layer {
  const reading = new Reading(source);
  reading.visit(configShape, table, { path: [], reach: "nothing" });
  reading.refuseOldAndNewName();
  return { settings: reading.settings.map(asOneKey), problems: reading.told() };
}

/** `enable_summarization` is an older name of `context_strategy`, and takes its place in the order of layers. */
function asOneKey(setting: Setting): Setting {
  if (setting.path.join(".") !== "agent.enable_summarization") return setting;
  return { ...setting, path: ["agent", "context_strategy"], value: setting.value === true ? "summarize" : "compact" };
}

interface Place {
  readonly path: readonly string[];
  /** Of the key that this is a part of. */
  readonly reach: Reach;
}

/** Goes through a table once, beside the shape it should have, and notes what it sets and what is wrong with it. */
class Reading {
  readonly settings: Setting[] = [];
  private readonly problems: string[] = [];
  private untold = 0;
  private hasVariables = false;
  private readonly source: Source;

  constructor(source: Source) {
    this.source = source;
  }

  told(): readonly string[] {
    return this.untold === 0 ? this.problems : [...this.problems, `and ${this.untold} more problems of this kind`];
  }

  /** Goes down to what is set as a whole: a value, or a list. */
  visit(shape: Shape, given: unknown, { path, reach }: Place): void {
    const value = this.textRead(shape, given);
    const place: Place = { path, reach: shape.note?.reach ?? reach };
    if (shape.kind === "either" && isTable(value)) this.visit(shape.or, value, place);
    else if (shape.kind === "section" || shape.kind === "named") this.visitTable(shape, value, place);
    else this.set(shape, value, place);
  }

  refuseOldAndNewName(): void {
    const isSet = (key: string) => this.settings.some(({ path }) => path.join(".") === key);
    if (!isSet("agent.enable_summarization") || !isSet("agent.context_strategy")) return;
    const path = ["agent", "enable_summarization"];
    this.problem(
      path,
      "key",
      () => "agent.enable_summarization is an older name of agent.context_strategy, which is there as well; remove it",
    );
  }

  private visitTable(shape: Section | Named, value: unknown, place: Place): void {
    if (!isTable(value)) this.wrong(shape, value, place.path);
    else
      for (const [name, inner] of Object.entries(value)) {
        const path = [...place.path, name];
        const known = this.known(shape, path);
        if (known !== undefined) this.visit(known, inner, { ...place, path });
      }
  }

  private set(shape: Shape, given: unknown, { path, reach }: Place): void {
    const before = this.problems.length + this.untold;
    this.hasVariables = false;
    const value = this.value(shape, given, path);
    if (this.problems.length + this.untold > before) return;
    const { hasVariables } = this;
    this.settings.push({
      path,
      value,
      reach,
      origin: this.source.originOf(path),
      at: this.source.placeOf(path, "value"),
      hasVariables,
    });
  }

  private value(shape: Shape, given: unknown, path: readonly string[]): unknown {
    const value = this.textRead(shape, given);
    switch (shape.kind) {
      case "value":
        return this.checked(shape, value, path);
      case "either":
        if (value === shape.word) return value;
        return Array.isArray(value) && shape.or.kind === "list"
          ? this.value(shape.or, value, path)
          : this.wrong(shape, value, path);
      case "list":
        if (!Array.isArray(value)) return this.wrong(shape, value, path);
        return value.map((item, index) => this.value(shape.each, item, [...path, String(index)]));
      default:
        return isTable(value) ? this.table(shape, value, path) : this.wrong(shape, value, path);
    }
  }

  /** A table within a list. */
  private table(shape: Section | Named, table: Readonly<Record<string, unknown>>, path: readonly string[]): unknown {
    for (const name of shape.kind === "section" ? shape.needed : [])
      if (!Object.hasOwn(table, name)) this.problem(path, "key", () => `${shownKey(path)} has no ${name}`);
    return Object.fromEntries(
      Object.entries(table).flatMap(([name, value]) => {
        const below = [...path, name];
        const known = this.known(shape, below);
        return known === undefined ? [] : [[name, this.value(known, value, below)]];
      }),
    );
  }

  private known(shape: Section | Named, path: readonly string[]): Shape | undefined {
    const name = path.at(-1) ?? "";
    if (shape.kind === "section") {
      const known = shape.keys.get(name);
      if (known === undefined) this.problem(path, "key", () => unknownKey(path, shape));
      return known;
    }
    if (shape.names?.includes(name) || (shape.names === undefined && name !== "" && name !== "__proto__"))
      return shape.each;
    const { names } = shape;
    this.problem(path, "key", () =>
      names === undefined ? `${JSON.stringify(name)} cannot be a name here` : unknownName(path, names),
    );
    return undefined;
  }

  private checked(shape: Value, value: unknown, path: readonly string[]): unknown {
    const { variables } = this.source;
    if (variables === "none" || typeof value !== "string" || !hasVariables(value))
      return shape.holds(value) ? value : this.wrong(shape, value, path);
    this.hasVariables = true;
    if (variables === "untrusted") return value;
    const expanded = variables(value);
    if (!expanded.ok) return this.problem(path, "value", () => `${shownKey(path)}: ${expanded.why}`);
    const read = readText(shape, expanded.text);
    if (shape.holds(read)) return read;
    return this.problem(
      path,
      "value",
      () => `${shownKey(path)} is ${shown(value)}; with its variables filled in it must be ${wordsOf(shape)}`,
    );
  }

  private textRead(shape: Shape, value: unknown): unknown {
    return this.source.isText && typeof value === "string" ? readText(shape, value) : value;
  }

  private wrong(shape: Shape, value: unknown, path: readonly string[]): void {
    this.problem(
      path,
      "value",
      () =>
        `${path.length === 0 ? "the configuration" : shownKey(path)} is ${shown(value)}; it must be ${wordsOf(shape)}${perhaps(shape, value)}`,
    );
  }

  /** The sentence is made only where it will be read: to find the nearest name takes its time. */
  private problem(path: readonly string[], part: "key" | "value", sentence: () => string): void {
    if (this.problems.length >= mostProblems) this.untold++;
    else {
      const at = this.source.placeOf(path, part);
      this.problems.push(at === "" ? sentence() : `${at}: ${sentence()}`);
    }
  }
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
