import type { StandardSchemaV1 } from "@standard-schema/spec";
import { expect, test } from "vitest";
import { z } from "zod";
import { ok, type Tool } from "../tools/tool.ts";
import { toToolDefinitions } from "./tool-definitions.ts";

function tool(input: StandardSchemaV1<unknown, unknown>, more: Partial<Tool> = {}): Tool {
  return { name: "read", description: "Reads.", input, kind: "read", run: async () => ok(""), ...more };
}

const bare = (vendor: string): StandardSchemaV1<unknown, unknown> => ({
  "~standard": { version: 1, vendor, validate: (value) => ({ value }) },
});
const inputSchema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

test("the schema comes from the library where that can say it", async () => {
  const withDefault = z.object({ path: z.string(), lines: z.number().default(10) });
  expect(await toToolDefinitions([tool(z.object({ path: z.string() }))])).toEqual([
    { type: "function", name: "read", description: "Reads.", inputSchema },
  ]);
  expect((await toToolDefinitions([tool(withDefault)]))[0]?.inputSchema.required).toEqual(["path"]);
});

test("a schema of one's own comes first", async () => {
  expect((await toToolDefinitions([tool(z.object({}), { jsonSchema: inputSchema })]))[0]?.inputSchema).toEqual(
    inputSchema,
  );
});

test("a zod too old to say it by itself is asked by way of ours", async () => {
  const schema = z.object({ path: z.string() });
  const { jsonSchema: _, ...old } = schema["~standard"] as StandardSchemaV1.Props<unknown, unknown> & {
    jsonSchema?: unknown;
  };
  const older = Object.create(schema, { "~standard": { value: old } }) as StandardSchemaV1<unknown, unknown>;
  expect((await toToolDefinitions([tool(older)]))[0]?.inputSchema).toMatchObject({
    type: "object",
    required: ["path"],
  });
});

test("a schema that cannot be told is an error that says what to give", async () => {
  await expect(toToolDefinitions([tool(bare("valibot"))])).rejects.toThrow(
    'The tool "read" does not tell models what its input looks like: its schema (valibot) cannot be written as JSON schema, so give it a "jsonSchema".',
  );
  await expect(toToolDefinitions([tool(bare("zod"))])).rejects.toThrow('give it a "jsonSchema"');
  await expect(toToolDefinitions([tool(z.string())])).rejects.toThrow("must be an object");
});
