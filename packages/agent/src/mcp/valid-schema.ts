import { isRecord } from "../protocol/json.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * A schema without the keywords whose values JSON Schema (2020-12) does not allow. Providers refuse the whole request
 * for one of them, and with it every other tool. What is left out here is still checked by the server.
 */
export function validSchema(schema: Json): Json {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) => {
      const keyword = name === "items" && Array.isArray(value) ? "prefixItems" : name; // the form of earlier drafts
      const valid = validValue(keyword, value);
      return valid === undefined ? [] : [[keyword, valid]];
    }),
  );
}

/** Keywords with a schema, with a list of schemas, and with schemas by name. Values of others are no schemas. */
const withSchema: readonly string[] = [
  ...["items", "contains", "additionalProperties", "propertyNames", "unevaluatedItems", "unevaluatedProperties"],
  ...["not", "if", "then", "else", "contentSchema"],
];
const withList: readonly string[] = ["anyOf", "oneOf", "allOf", "prefixItems"];
const withNames: readonly string[] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

const types: readonly unknown[] = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** What the values of the other keywords have to be. A keyword that is not here may have any value. */
const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => types.includes(value) || isList(value, (each) => types.includes(each)),
  enum: (value) => isList(value, () => true),
  examples: Array.isArray,
  required: (value) => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length,
  dependentRequired: (value) => isRecord(value) && Object.values(value).every((each) => checks["required"]?.(each)),
  pattern: isPattern,
  ...allOf(["title", "description", "format", "$ref", "$id", "$anchor", "$comment", "contentEncoding"], isText),
  ...allOf(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], (value) => typeof value === "number"),
  ...allOf(["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"], isCount),
  ...allOf(["minContains", "maxContains"], isCount),
  ...allOf(["uniqueItems", "readOnly", "writeOnly", "deprecated"], (value) => typeof value === "boolean"),
  multipleOf: (value) => typeof value === "number" && value > 0,
};

/** Undefined if the keyword has to be left out. */
function validValue(keyword: string, value: unknown): unknown {
  if (withSchema.includes(keyword)) return subschema(value);
  if (withList.includes(keyword)) {
    const valid = Array.isArray(value) ? value.map(subschema).filter((each) => each !== undefined) : [];
    return valid.length > 0 ? valid : undefined;
  }
  if (withNames.includes(keyword)) {
    if (!isRecord(value)) return undefined;
    const named = Object.entries(value).filter(([name]) => keyword !== "patternProperties" || isPattern(name));
    return Object.fromEntries(named.map(([name, each]) => [name, subschema(each) ?? {}]));
  }
  return !Object.hasOwn(checks, keyword) || checks[keyword]?.(value) === true ? value : undefined;
}

function subschema(value: unknown): Json | boolean | undefined {
  if (typeof value === "boolean") return value;
  return isRecord(value) ? validSchema(value) : undefined;
}

function allOf(keywords: readonly string[], check: (value: unknown) => boolean): typeof checks {
  return Object.fromEntries(keywords.map((keyword) => [keyword, check]));
}

function isList(value: unknown, isMember: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isMember);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0;
}

/** Whether it can be read as a regular expression; it is not executed. */
function isPattern(value: unknown): boolean {
  try {
    return isText(value) && new RegExp(value) instanceof RegExp;
  } catch {
    return false;
  }
}
