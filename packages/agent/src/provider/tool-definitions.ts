import type { LanguageModelV3FunctionTool } from "@ai-sdk/provider";
import type { Tool } from "../tools/tool.ts";
import { field, isRecord } from "./field-access.ts";

type Schema = LanguageModelV3FunctionTool["inputSchema"];

const known = new WeakMap<Tool, Schema>();

/** A list of tools as models are told of them. */
export interface ToldTools {
  readonly tools: LanguageModelV3FunctionTool[];
  readonly names: readonly string[];
}

/** A run asks with the same list every time. */
const lists = new WeakMap<readonly Tool[], ToldTools>();

/** The same list as it was told before, if it was. */
export function toldTools(tools: readonly Tool[]): ToldTools | undefined {
  const before = lists.get(tools);
  return before?.tools.length === tools.length ? before : undefined;
}

/** Writes a list for models. Throws a sentence where a tool cannot say what its input looks like. */
export async function tellTools(tools: readonly Tool[]): Promise<ToldTools> {
  const before = toldTools(tools);
  if (before !== undefined) return before;
  const written = await Promise.all(
    tools.map(async (tool) => ({
      type: "function" as const,
      name: tool.name,
      description: tool.description,
      inputSchema: await schemaOf(tool),
    })),
  );
  const told = { tools: written, names: written.map(({ name }) => name) };
  lists.set(tools, told);
  return told;
}

/** The tools as models are told of them. */
export async function toToolDefinitions(tools: readonly Tool[]): Promise<LanguageModelV3FunctionTool[]> {
  return (await tellTools(tools)).tools;
}

async function schemaOf(tool: Tool): Promise<Schema> {
  const before = known.get(tool);
  if (before !== undefined) return before;
  const { $schema: _, ...schema } = tool.jsonSchema ?? (await derived(tool));
  if (schema["type"] !== "object")
    throw new Error(
      `The input of the tool "${tool.name}" must be an object for models to call it, but its JSON schema has the type ${JSON.stringify(schema["type"])}.`,
    );
  known.set(tool, schema as Schema); // a JSON schema of an object; what else is in it is for the provider to judge
  return schema as Schema;
}

/** Standard JSON Schema where the library has it (zod, arktype); older versions of zod by way of ours. */
async function derived(tool: Tool): Promise<Readonly<Record<string, unknown>>> {
  const standard = tool.input["~standard"];
  const convert = field(field(standard, "jsonSchema"), "input");
  try {
    if (typeof convert === "function") return asSchema(convert({ target: "draft-07" }));
    if (standard.vendor === "zod") {
      const { toJSONSchema } = await import("zod");
      return asSchema(
        toJSONSchema(tool.input as unknown as Parameters<typeof toJSONSchema>[0], { target: "draft-7", io: "input" }),
      ); // its vendor says so; throws where not
    }
  } catch (cause) {
    throw new Error(`The input of the tool "${tool.name}" cannot be written as JSON schema: give it a "jsonSchema".`, {
      cause,
    });
  }
  throw new Error(
    `The tool "${tool.name}" does not tell models what its input looks like: its schema (${standard.vendor}) cannot be written as JSON schema, so give it a "jsonSchema".`,
  );
}

function asSchema(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw new Error("A JSON schema is an object.");
  return value;
}
