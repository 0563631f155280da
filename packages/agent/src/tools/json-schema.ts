import type { Tool } from "./tool.ts";

/** What the model is told of a tool's input: the tool's own JSON schema, or the one its Standard Schema can give (zod and arktype do). */
export function jsonSchemaOf(tool: Tool): Readonly<Record<string, unknown>> {
  return tool.jsonSchema ?? derived(tool) ?? { type: "object" };
}

/** The names of a tool's arguments, those that may be left out with a question mark. */
export function argumentNames(tool: Tool): readonly string[] {
  const { properties, required } = jsonSchemaOf(tool);
  if (typeof properties !== "object" || properties === null) return [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.keys(properties).map((name) => (needed.has(name) ? name : `${name}?`));
}

function derived(tool: Tool): Record<string, unknown> | undefined {
  const standard: unknown = tool.input["~standard"];
  if (typeof standard !== "object" || standard === null || !("jsonSchema" in standard)) return undefined;
  const { jsonSchema } = standard;
  if (
    typeof jsonSchema !== "object" ||
    jsonSchema === null ||
    !("input" in jsonSchema) ||
    typeof jsonSchema.input !== "function"
  )
    return undefined;
  const schema: unknown = jsonSchema.input({ target: "draft-2020-12" });
  if (typeof schema !== "object" || schema === null) return undefined;
  const { $schema: _, ...rest } = { ...schema } as Record<string, unknown>; // a schema is an object with names of its own
  return rest;
}
