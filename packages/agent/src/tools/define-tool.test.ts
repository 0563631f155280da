import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { createToolWorkspace } from "./testing/tool-workspace.ts";
import type { Tool } from "./tool.ts";
import { createToolRegistry } from "./tool-registry.ts";
import { validateInput } from "./validate-input.ts";

const definition = {
  name: "weather",
  description: "Tells the weather.",
  input: z.object({ city: z.string() }),
  run: () => "sunny",
};

test("a tool needs only a name, a description, a schema and a run function, which may return a string", async () => {
  const bench = await createToolWorkspace();
  const tool = defineTool({
    ...definition,
    run({ city }) {
      expectTypeOf(city).toEqualTypeOf<string>();
      return `sunny in ${city}`;
    },
  });
  expect(await bench.call(tool, { city: "Rome" })).toEqual({ status: "ok", content: "sunny in Rome" });
  await bench.remove();
});

test("run may return a string, an outcome, or a promise of either", () => {
  type Returned = Awaited<ReturnType<Tool["run"]>>;
  expectTypeOf<string>().toExtend<Returned>();
  defineTool({ ...definition, run: async () => "sunny" });
  defineTool({ ...definition, run: () => ({ status: "error", content: "no answer" }) });
  defineTool({ ...definition, run: async () => ({ status: "ok", content: "sunny", details: { degrees: 21 } }) });
});

test("a JSON schema alone validates the arguments and is sent to the model", async () => {
  const jsonSchema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const { input: _, ...withoutInput } = definition;
  const tool = defineTool({ ...withoutInput, jsonSchema, run: ({ city }) => String(city) });
  expect(tool.jsonSchema).toEqual(jsonSchema);
  expect(await validateInput(tool, { city: "Rome" })).toEqual({ ok: true, input: { city: "Rome" } });
  expect(await validateInput(tool, {})).toMatchObject({ ok: false });
});

test.each([
  ["no object", undefined, 'A tool must be an object with "name", "description", "input" and "run", got undefined.'],
  ["no name", { name: undefined }, `A tool's name must have 1 to 64 letters, digits, "_" or "-", got undefined.`],
  ["an empty name", { name: "" }, `A tool's name must have 1 to 64 letters, digits, "_" or "-", got "".`],
  ["no run", { run: undefined }, 'The tool "weather" needs a function "run", got undefined.'],
  [
    "no description",
    { description: undefined },
    'The tool "weather" needs a "description" that tells the model what it does.',
  ],
  [
    "no schema",
    { input: undefined },
    'The tool "weather" needs a schema of its arguments: "input", such as z.object({ path: z.string() }).',
  ],
  [
    "a schema of another kind",
    { input: { type: "object" } },
    'The tool "weather" needs a schema of its arguments: "input", such as z.object({ path: z.string() }).',
  ],
  [
    "a wrong kind",
    { kind: "reed" },
    'The tool "weather" has the kind "reed" (did you mean "read"?): a kind must be one of ' +
      "read, mutate, poll, wait, send, think, move, unknown, or left out.",
  ],
  [
    "a wrong origin",
    { origin: "mine" },
    'The tool "weather" has the origin "mine": it must be builtin, external, or left out.',
  ],
])("a definition with %s is an error, also when it is registered directly", (_, change, message) => {
  // JavaScript programs can pass anything
  const wrong = (change === undefined ? undefined : { ...definition, ...change }) as unknown as Tool;
  if (change !== undefined) expect(() => defineTool(wrong)).toThrow(message);
  expect(() => createToolRegistry([wrong])).toThrow(message);
});
