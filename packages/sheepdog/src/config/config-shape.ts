import { z } from "zod";
import { keyNotes, type ProjectReach } from "./config-key.ts";
import { configSchema } from "./schema.ts";
import { type TableRules, tableRules } from "./table-rules.ts";

/**
 * What the configuration accepts at a path: the schema as plain data. Values are read, and wrong ones explained, from
 * this one description.
 */
export type Shape = Section | NamedTable | List | Either | Value;

interface WithNote {
  readonly note?: KeyNote;
}

/** A table with fixed keys. */
export interface Section extends WithNote {
  readonly kind: "section";
  readonly keys: ReadonlyMap<string, Shape>;
  readonly needed: readonly string[];
  /** For a table inside a list. */
  readonly rules?: TableRules;
}

/** A table whose keys are names: arbitrary ones, or a fixed set. */
export interface NamedTable extends WithNote {
  readonly kind: "named";
  readonly names?: readonly string[];
  readonly each: Shape;
}

interface List extends WithNote {
  readonly kind: "list";
  readonly each: Shape;
  readonly isNeverEmpty: boolean;
}

/** One word, or another shape. */
interface Either extends WithNote {
  readonly kind: "either";
  readonly word: string;
  readonly or: Shape;
}

export interface Value extends WithNote {
  readonly kind: "value";
  readonly type: "text" | "number" | "boolean";
  /** The accepted values, to follow "it must be". */
  readonly accepts: string;
  /** The accepted words, if it is one of a few. */
  readonly choices?: readonly string[];
  holds(value: unknown): boolean;
}

/** The description of a key. */
interface KeyNote {
  readonly reach: ProjectReach;
  readonly description: string;
  /** Undefined if the key has no default. */
  readonly default: unknown;
  /** What a project file is compared with while the key is not set. */
  readonly unset?: number;
}

/** The shape of a schema. Throws for a kind of schema that is not used. */
function shapeOf(schema: unknown): Shape {
  const bare = unwrapped(schema);
  const note = noteOf(schema);
  return { ...bareShape(bare), ...(note === undefined ? {} : { note }) };
}

function bareShape(schema: z.ZodType): Shape {
  if (schema instanceof z.ZodObject) {
    const parts: [string, z.ZodType][] = Object.entries(schema.shape);
    const needed = parts.filter(([, part]) => !part.safeParse(undefined).success).map(([name]) => name);
    const keys = new Map(parts.map(([name, part]) => [name, shapeOf(part)]));
    const rules = tableRules.get(schema);
    return { kind: "section", keys, needed, ...(rules === undefined ? {} : { rules }) };
  }
  if (schema instanceof z.ZodRecord) {
    const names = schema.keyType instanceof z.ZodEnum ? { names: schema.keyType.options.map(String) } : {};
    return { kind: "named", ...names, each: shapeOf(schema.valueType) };
  }
  if (schema instanceof z.ZodArray)
    return { kind: "list", each: shapeOf(schema.element), isNeverEmpty: !schema.safeParse([]).success };
  if (schema instanceof z.ZodUnion) {
    const [word, or] = schema.options;
    if (word instanceof z.ZodLiteral && typeof word.value === "string")
      return { kind: "either", word: word.value, or: shapeOf(or) };
  }
  return valueShape(schema);
}

function valueShape(schema: z.ZodType): Value {
  const holds = (value: unknown) => schema.safeParse(value).success;
  if (schema instanceof z.ZodBoolean) return { kind: "value", type: "boolean", accepts: "true or false", holds };
  if (schema instanceof z.ZodNumber) return { kind: "value", type: "number", accepts: describeNumber(schema), holds };
  if (schema instanceof z.ZodString)
    return {
      kind: "value",
      type: "text",
      accepts: schema.minLength === null ? "text" : "text that is not empty",
      holds,
    };
  if (schema instanceof z.ZodEnum)
    return { kind: "value", type: "text", accepts: oneOf(schema.options), choices: schema.options.map(String), holds };
  if (schema instanceof z.ZodLiteral)
    return { kind: "value", type: "number", accepts: oneOf([...schema.values]), holds };
  throw new Error(`Expected a schema of a known kind, got ${schema.type}.`);
}

function describeNumber({ format, minValue, maxValue, def }: z.ZodNumber): string {
  const noun = format === "safeint" ? "a whole number" : "a number";
  const isAbove = def.checks?.some(
    (check) => check._zod.def.check === "greater_than" && "inclusive" in check._zod.def && !check._zod.def.inclusive,
  );
  const hasMax = maxValue !== null && maxValue < Number.MAX_SAFE_INTEGER;
  if (isAbove) return `${noun} above ${minValue}${hasMax ? `, at most ${maxValue}` : ""}`;
  return hasMax ? `${noun} from ${minValue} to ${maxValue}` : `${noun} of at least ${minValue}`;
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map((value) => JSON.stringify(value));
  return [words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(" or ");
}

function noteOf(schema: unknown): KeyNote | undefined {
  if (!(schema instanceof z.ZodType)) return undefined;
  const note = keyNotes.get(schema);
  if (note === undefined) return undefined;
  return { ...note, description: schema.description ?? "", default: schema.safeParse(undefined).data };
}

/** The schema inside its default, prefault and optional wrappers. */
function unwrapped(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return unwrapped(schema.unwrap());
  if (schema instanceof z.ZodType) return schema;
  throw new Error("Expected a schema of the configuration.");
}

/** The shape of the whole configuration. */
export const configShape: Section = sectionOf(configSchema);

/** The shape of the schema of a whole file. */
export function sectionOf(schema: z.ZodObject): Section {
  const shape = shapeOf(schema);
  if (shape.kind !== "section") throw new Error(`Expected the schema of a table, got ${shape.kind}.`);
  return shape;
}

/** A key of the configuration with its description. */
export interface ConfigKey {
  readonly path: readonly string[];
  readonly shape: Shape;
  readonly note: KeyNote;
}

/** All keys by dotted name, in the order of the schema. None of their parts needs quotes. */
export const allKeys: ReadonlyMap<string, ConfigKey> = new Map(
  keysIn(configShape, []).map((key) => [key.path.join("."), key]),
);

/** The keys below a shape that have a description. */
export function keysIn(shape: Shape, path: readonly string[]): readonly ConfigKey[] {
  if (shape.note !== undefined) return [{ path, shape, note: shape.note }];
  return shape.kind === "section" ? [...shape.keys].flatMap(([name, inner]) => keysIn(inner, [...path, name])) : [];
}

/** The key at a path or above it. */
export function keyOf(path: readonly string[]): ConfigKey | undefined {
  return path.map((_, depth) => allKeys.get(path.slice(0, depth + 1).join("."))).find((key) => key !== undefined);
}
