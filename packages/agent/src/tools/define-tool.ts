import { z } from "zod";
import { checkTool } from "./check-tool.ts";
import type { JsonSchema, Tool } from "./tool.ts";

/** A tool as a program writes it down: arguments are described by `input`, by `jsonSchema`, or by both. */
export type ToolSpec<Input> = Omit<Tool<Input>, "input"> & Partial<Pick<Tool<Input>, "input">>;

/**
 * Checks a tool's definition and types the arguments of `run` and `touches` by its schema. With a `jsonSchema` and no
 * `input`, arguments are validated by the JSON schema. Throws a sentence when the definition is wrong.
 */
export function defineTool<Input = Readonly<Record<string, unknown>>>(definition: ToolSpec<Input>): Tool {
  const { input = validatorOf(definition) } = definition;
  const tool = { ...definition, input };
  checkTool(tool);
  return tool as Tool; // complete, as `checkTool` has made sure
}

function validatorOf({ name, jsonSchema }: { readonly name: string; readonly jsonSchema?: JsonSchema }): unknown {
  if (jsonSchema === undefined) return undefined;
  try {
    return z.fromJSONSchema(jsonSchema);
  } catch (cause) {
    throw new Error(`The "jsonSchema" of the tool "${name}" cannot be used to validate arguments: add an "input".`, {
      cause,
    });
  }
}
