import { z } from "zod";
import { keyNotes, type Reach } from "./key.ts";
import { configSchema } from "./schema.ts";

/** What may stand at a place of the configuration: the schema as plain data, so that a value can be read, and a wrong one explained, from one description. */
export type Shape = Section | Named | List | Either | Value;

interface Any {
  readonly note?: Note;
}

/** A table with the keys it knows. */
export interface Section extends Any {
  readonly kind: "section";
  readonly keys: ReadonlyMap<string, Shape>;
  readonly needed: readonly string[];
}

/** A table whose keys are names: any, or one of a few. */
export interface Named extends Any {
  readonly kind: "named";
  readonly names?: readonly string[];
  readonly each: Shape;
}

interface List extends Any {
  readonly kind: "list";
  readonly each: Shape;
}

/** One word, or something else. */
interface Either extends Any {
  readonly kind: "either";
  readonly word: string;
  readonly or: Shape;
}

export interface Value extends Any {
  readonly kind: "value";
  readonly type: "text" | "number" | "boolean";
  /** To end the sentence "it must be …". */
  readonly words: string;
  /** Where it is one of a few words. */
  readonly choices?: readonly string[];
  holds(value: unknown): boolean;
}

/** What is said of a key. */
interface Note {
  readonly reach: Reach;
  readonly description: string;
  /** Undefined where there is none. */
  readonly default: unknown;
}

/** The shape of a schema. Throws for a kind of schema that the configuration has not used so far. */
function shapeOf(schema: unknown): Shape {
  const bare = unwrapped(schema);
  const note = noteOf(schema);
  return { ...bareShape(bare), ...(note === undefined ? {} : { note }) };
}

function bareShape(schema: z.ZodType): Shape {
  if (schema instanceof z.ZodObject) {
    const parts: [string, z.ZodType][] = Object.entries(schema.shape);
    const needed = parts.filter(([, part]) => !part.safeParse(undefined).success).map(([name]) => name);
    return { kind: "section", keys: new Map(parts.map(([name, part]) => [name, shapeOf(part)])), needed };
  }
  if (schema instanceof z.ZodRecord) {
    const names = schema.keyType instanceof z.ZodEnum ? { names: schema.keyType.options.map(String) } : {};
    return { kind: "named", ...names, each: shapeOf(schema.valueType) };
  }
  if (schema instanceof z.ZodArray) return { kind: "list", each: shapeOf(schema.element) };
  if (schema instanceof z.ZodUnion) {
    const [word, or] = schema.options;
    if (word instanceof z.ZodLiteral && typeof word.value === "string")
      return { kind: "either", word: word.value, or: shapeOf(or) };
  }
  return valueShape(schema);
}

function valueShape(schema: z.ZodType): Value {
  const holds = (value: unknown) => schema.safeParse(value).success;
  if (schema instanceof z.ZodBoolean) return { kind: "value", type: "boolean", words: "true or false", holds };
  if (schema instanceof z.ZodNumber) return { kind: "value", type: "number", words: numberWords(schema), holds };
  if (schema instanceof z.ZodString)
    return { kind: "value", type: "text", words: schema.minLength === null ? "text" : "text that is not empty", holds };
  if (schema instanceof z.ZodEnum)
    return { kind: "value", type: "text", words: oneOf(schema.options), choices: schema.options.map(String), holds };
  if (schema instanceof z.ZodLiteral) return { kind: "value", type: "number", words: oneOf([...schema.values]), holds };
  throw new Error(`Expected a schema of a known kind, got ${schema.type}.`);
}

function numberWords({ format, minValue, maxValue, def }: z.ZodNumber): string {
  const what = format === "safeint" ? "a whole number" : "a number";
  const isAbove = def.checks?.some(
    (check) => check._zod.def.check === "greater_than" && "inclusive" in check._zod.def && !check._zod.def.inclusive,
  );
  if (isAbove) return `${what} above ${minValue}`;
  return maxValue === null || maxValue >= Number.MAX_SAFE_INTEGER
    ? `${what} from ${minValue} up`
    : `${what} from ${minValue} to ${maxValue}`;
}

function oneOf(values: readonly unknown[]): string {
  const words = values.map((value) => JSON.stringify(value));
  return [words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(" or ");
}

function noteOf(schema: unknown): Note | undefined {
  if (!(schema instanceof z.ZodType)) return undefined;
  const reach = keyNotes.get(schema)?.reach;
  if (reach === undefined) return undefined;
  return { reach, description: schema.description ?? "", default: schema.safeParse(undefined).data };
}

/** The schema below its default and the like. */
function unwrapped(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional)
    return unwrapped(schema.unwrap());
  if (schema instanceof z.ZodType) return schema;
  throw new Error("Expected a schema of the configuration.");
}

/** The shape of the whole configuration. */
export const configShape: Section = sectionOf(shapeOf(configSchema));

function sectionOf(shape: Shape): Section {
  if (shape.kind !== "section") throw new Error(`Expected the configuration to be a table, got ${shape.kind}.`);
  return shape;
}

/** A key of the configuration with what is said of it. */
export interface Key {
  readonly path: readonly string[];
  readonly shape: Shape;
  readonly note: Note;
}

/** All keys of the configuration, in the order of the schema, by their dotted names: none of their parts needs quotes. */
export const allKeys: ReadonlyMap<string, Key> = new Map(
  keysIn(configShape, []).map((key) => [key.path.join("."), key]),
);

function keysIn(shape: Shape, path: readonly string[]): readonly Key[] {
  if (shape.note !== undefined) return [{ path, shape, note: shape.note }];
  return shape.kind === "section" ? [...shape.keys].flatMap(([name, inner]) => keysIn(inner, [...path, name])) : [];
}

/** The key that a path is, or is a part of. */
export function keyOf(path: readonly string[]): Key | undefined {
  return path.map((_, depth) => allKeys.get(path.slice(0, depth + 1).join("."))).find((key) => key !== undefined);
}
