import { visibleLines } from "../../render/terminal/visible-lines.ts";

/** Keywords that say nothing to a model besides their form, with a test of the values that are harmless. */
const structural: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => [value].flat().every((each) => typeof each === "string" && /^[a-z]{1,10}$/.test(each)),
  format: (value) => typeof value === "string" && /^[a-z-]{1,25}$/.test(value),
  additionalProperties: (value) => typeof value === "boolean",
  uniqueItems: (value) => typeof value === "boolean",
  ...Object.fromEntries(
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"]
      .concat(["minItems", "maxItems", "minProperties", "maxProperties"])
      .map((name) => [name, (value: unknown) => typeof value === "number"]),
  ),
};

/** Keywords that hold schemas by name. */
const named: readonly string[] = ["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"];

/** Everything in the schema of a tool that a model reads as text, a line each: arguments at every depth, and words. */
export function schemaLines(schema: unknown, path = ""): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap((each) => schemaLines(each, path));
  if (typeof schema !== "object" || schema === null) return [labelled(path, schema)];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (path === "" && (key === "$schema" || key === "$id")) return []; // models do not get them
    if (key === "required" && isNamesOf(value, schema)) return [];
    if (Object.hasOwn(structural, key) && structural[key]?.(value) === true) return [];
    if (named.includes(key) && typeof value === "object" && value !== null && !Array.isArray(value))
      return Object.entries(value).flatMap(([name, inner]) => [
        ...(isPlainSchema(inner) ? [join(path, name)] : []),
        ...schemaLines(inner, join(path, name)),
      ]);
    if (key === "description") return [labelled(path, value)];
    return schemaLines(value, join(path, key));
  });
}

/** Whether a schema has no line of its own that names it. */
function isPlainSchema(schema: unknown): boolean {
  return typeof schema !== "object" || schema === null || !("description" in schema);
}

function isNamesOf(value: unknown, schema: object): boolean {
  const properties: unknown = "properties" in schema ? schema.properties : {};
  const names = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  return Array.isArray(value) && value.every((each) => names.includes(each));
}

function labelled(path: string, value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return path === "" ? text : `${path}: ${text}`;
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

/** Lines that are safe to print, in which nothing is hidden. */
export function reviewText(text: string): readonly string[] {
  return visibleLines(text.replaceAll("\r\n", "\n")).filter((line) => line.trim() !== "");
}
