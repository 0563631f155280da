import { isRecord } from "../protocol/json.ts";
import type { ToolDefinition } from "../protocol/tool-definition.ts";
import type { Tool } from "../tools/tool.ts";
import { getField } from "./field-access.ts";
import { wellFormed } from "./well-formed.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** Describes tools for a model. Rejects with a sentence if the input of a tool cannot be described. */
export function toToolDefinitions(tools: readonly Tool[]): Promise<readonly ToolDefinition[]> {
  return Promise.all(tools.map(toToolDefinition));
}

async function toToolDefinition(tool: Tool): Promise<ToolDefinition> {
  const { name, description } = tool;
  const { $schema: _, ...inputSchema } = tool.jsonSchema ?? (await deriveJsonSchema(tool));
  if (inputSchema["type"] !== "object")
    throw new Error(
      `The input of the tool "${name}" must be an object, ` +
        `but its JSON schema has the type ${JSON.stringify(inputSchema["type"])}.`,
    );
  // A JSON schema of an object; the provider checks the rest.
  return wellFormed({ name, description, inputSchema }) as ToolDefinition;
}

/** Uses Standard JSON Schema if the library supports it (zod, arktype), and our zod for older versions of zod. */
async function deriveJsonSchema(tool: Tool): Promise<JsonSchema> {
  const standard = tool.input["~standard"];
  const convert = getField(getField(standard, "jsonSchema"), "input");
  try {
    if (typeof convert === "function") return toJsonSchema(convert({ target: "draft-07" }));
    if (standard.vendor === "zod") {
      const { toJSONSchema } = await import("zod");
      // The vendor says that it is a zod schema; toJSONSchema throws if it is not.
      const schema = tool.input as unknown as Parameters<typeof toJSONSchema>[0];
      return toJsonSchema(toJSONSchema(schema, { target: "draft-7", io: "input" }));
    }
  } catch (cause) {
    throw new Error(
      `The input of the tool "${tool.name}" cannot be converted to a JSON schema: give the tool a "jsonSchema".`,
      { cause },
    );
  }
  throw new Error(
    `The input of the tool "${tool.name}" cannot be described to a model: schemas of ${standard.vendor} cannot be ` +
      'converted to a JSON schema. Give the tool a "jsonSchema".',
  );
}

function toJsonSchema(value: unknown): JsonSchema {
  if (!isRecord(value)) throw new Error("A JSON schema must be an object.");
  return value;
}
