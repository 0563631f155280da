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

test("the schema comes from the library if it supports JSON schema", async () => {
  const withDefault = z.object({ path: z.string(), lines: z.number().default(10) });
  expect(await toToolDefinitions([tool(z.object({ path: z.string() }))])).toEqual([
    { name: "read", description: "Reads.", inputSchema },
  ]);
  expect((await toToolDefinitions([tool(withDefault)]))[0]?.inputSchema.required).toEqual(["path"]);
});

test("lone surrogates in a description or a schema are replaced", async () => {
  const jsonSchema = { type: "object", properties: { "a\udc00": { description: "cut \ud83d" } } };
  const [definition] = await toToolDefinitions([tool(z.object({}), { jsonSchema, description: "cut \ud83d" })]);
  const properties = { "a\ufffd": { description: "cut \ufffd" } };
  expect(definition).toEqual({ name: "read", description: "cut \ufffd", inputSchema: { type: "object", properties } });
});

test("a tool's own JSON schema comes first", async () => {
  expect((await toToolDefinitions([tool(z.object({}), { jsonSchema: inputSchema })]))[0]?.inputSchema).toEqual(
    inputSchema,
  );
});

test("an older zod schema is converted by our zod", async () => {
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

test("an input that cannot be described is an error that says what to add", async () => {
  await expect(toToolDefinitions([tool(bare("valibot"))])).rejects.toThrow(
    'The input of the tool "read" cannot be described to a model: schemas of valibot cannot be converted to a ' +
      'JSON schema. Give the tool a "jsonSchema".',
  );
  await expect(toToolDefinitions([tool(bare("zod"))])).rejects.toThrow('give the tool a "jsonSchema"');
  await expect(toToolDefinitions([tool(z.string())])).rejects.toThrow("must be an object");
});
