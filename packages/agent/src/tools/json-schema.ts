import type { JsonSchema, Tool } from "./tool.ts";

/** The tool's own JSON schema, or the one that its Standard Schema derives (zod and arktype do). */
export function jsonSchemaOf(tool: Tool): JsonSchema {
  return tool.jsonSchema ?? derivedSchema(tool) ?? { type: "object" };
}

/** The names of a tool's arguments; optional ones end with a question mark. */
export function argumentNames(tool: Tool): readonly string[] {
  const { properties, required } = jsonSchemaOf(tool);
  if (typeof properties !== "object" || properties === null) return [];
  const requiredNames = new Set(Array.isArray(required) ? required : []);
  return Object.keys(properties).map((name) => (requiredNames.has(name) ? name : `${name}?`));
}

function derivedSchema(tool: Tool): JsonSchema | undefined {
  const standard: unknown = tool.input["~standard"];
  if (typeof standard !== "object" || standard === null || !("jsonSchema" in standard)) return undefined;
  const { jsonSchema } = standard;
  if (typeof jsonSchema !== "object" || jsonSchema === null || !("input" in jsonSchema)) return undefined;
  if (typeof jsonSchema.input !== "function") return undefined;
  const schema: unknown = jsonSchema.input({ target: "draft-2020-12" });
  if (typeof schema !== "object" || schema === null) return undefined;
  const { $schema: _, ...rest } = { ...schema } as Record<string, unknown>; // a JSON schema is a plain object
  return rest;
}
