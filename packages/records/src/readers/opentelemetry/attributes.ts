import type { JsonObject } from "../../trajectory/json-fields.ts";
import { isObject } from "../../trajectory/parse-json.ts";
import { listField, textField } from "../fields.ts";

/** Attributes by name. */
export type Attributes = ReadonlyMap<string, unknown>;

/** Attributes as OTLP writes them, a list of keys and values, or as exporters to a file do, an object. */
export function readAttributes(value: unknown): Attributes {
  if (isObject(value)) return new Map(Object.entries(value));
  const entries = listField(value).flatMap((entry): [string, unknown][] => {
    if (!isObject(entry)) return [];
    const key = textField(entry["key"]);
    return key === undefined ? [] : [[key, plainValue(entry["value"])]];
  });
  return new Map(entries);
}

const MAX_DEPTH = 32;

/** The value of `{ "intValue": "3" }`. */
function plainValue(value: unknown, depth = 0): unknown {
  if (!isObject(value) || depth > MAX_DEPTH) return value;
  const { stringValue, intValue, doubleValue, boolValue, arrayValue, kvlistValue, bytesValue } = value;
  if (intValue !== undefined) return Number(intValue);
  if (isObject(arrayValue)) return listField(arrayValue["values"]).map((item) => plainValue(item, depth + 1));
  if (isObject(kvlistValue)) return plainObject(listField(kvlistValue["values"]), depth + 1);
  return stringValue ?? doubleValue ?? boolValue ?? bytesValue;
}

function plainObject(entries: readonly unknown[], depth: number): JsonObject {
  return Object.fromEntries(
    entries.flatMap((entry) =>
      isObject(entry) && typeof entry["key"] === "string" ? [[entry["key"], plainValue(entry["value"], depth)]] : [],
    ),
  );
}

/** The first of these attributes that is a text. */
export function textOf(attributes: Attributes, names: readonly string[]): string | undefined {
  return firstOf(names, (name) => textField(attributes.get(name)));
}

/** The first of these attributes that is a number, or a text with one, of at least 0. */
export function amountOf(attributes: Attributes, names: readonly string[]): number | undefined {
  return firstOf(names, (name) => {
    const value = attributes.get(name);
    const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    return typeof amount === "number" && amount >= 0 && amount < 1e9 ? amount : undefined;
  });
}

/** The first of these attributes that is an amount, as a whole number of tokens. */
export function tokensOf(attributes: Attributes, names: readonly string[]): number | undefined {
  const amount = amountOf(attributes, names);
  return amount === undefined ? undefined : Math.round(amount);
}

/** The first of these attributes that is present. */
export function attributeOf(attributes: Attributes, names: readonly string[]): unknown {
  return firstOf(names, (name) => attributes.get(name));
}

function firstOf<T>(names: readonly string[], read: (name: string) => T | undefined): T | undefined {
  for (const name of names) {
    const value = read(name);
    if (value !== undefined) return value;
  }
  return undefined;
}
