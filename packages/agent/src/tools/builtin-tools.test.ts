import { afterEach, beforeEach, expect, test } from "vitest";
import { machineClock } from "../protocol/clock.ts";
import { builtinTools } from "./builtin-tools.ts";
import type { FactMemory, RememberedFact } from "./fact-memory.ts";
import { jsonSchemaOf } from "./json-schema.ts";
import { createToolWorkspace, type ToolWorkspace } from "./testing/tool-workspace.ts";
import { ok, type Tool } from "./tool.ts";
import { createToolRegistry } from "./tool-registry.ts";
import { validateInput } from "./validate-input.ts";

let bench: ToolWorkspace;
const facts: (RememberedFact & { readonly id: string })[] = [];
const memory: FactMemory = {
  async write(fact) {
    const stored = { id: `fact_${facts.length}`, ...fact };
    facts.push(stored);
    return stored;
  },
  search: async (query, limit) => facts.filter(({ text }) => text.includes(query)).slice(0, limit),
};
beforeEach(async () => {
  facts.length = 0;
  bench = await createToolWorkspace();
});
afterEach(() => bench.remove());

const all = () =>
  createToolRegistry(
    builtinTools({
      workspace: bench.workspace,
      memory,
      spawn: async (task, options) => ok(`${task} ${JSON.stringify(options)}`),
      ask: async ({ text }) => `${text} yes`,
      clock: { ...machineClock, now: () => 0 },
    }),
  );
const named = (name: string): Tool => {
  const tool = all().find(name);
  if (tool === undefined) throw new Error(`There should be a tool ${name}.`);
  return tool;
};

test("there are eleven tools, fewer without memory and subagents, each with a schema that providers accept", () => {
  expect(all().names).toEqual([
    "read",
    "write",
    "edit",
    "glob",
    "grep",
    "bash",
    "web_fetch",
    "ask_user",
    "memory_write",
    "memory_search",
    "spawn",
  ]);
  expect(builtinTools({ workspace: bench.workspace }).length).toBe(8);
  for (const tool of all().all)
    expect(jsonSchemaOf(tool), tool.name).toMatchObject({
      type: "object",
      additionalProperties: false,
      properties: expect.anything(),
    });
});

test("invalid arguments are answered with a sentence that names the valid ones", async () => {
  expect(await validateInput(named("read"), { file: "x", limit: "many" })).toEqual({
    ok: false,
    problem: [
      "Not run: the arguments of read are not valid. path: Invalid input: expected string, received undefined;",
      'limit: Invalid input: expected number, received string; Unrecognized key: "file".',
      "read takes: path, offset?, limit?.",
    ].join(" "),
  });
  for (const input of ["", null, [], "str", Number.POSITIVE_INFINITY, JSON.parse('{"path":"a","__proto__":{"x":1}}')])
    expect((await validateInput(named("read"), input)).ok).toBe(false);
});

test("the user is asked; in an unattended run the model learns that there is no user", async () => {
  expect(await bench.call(named("ask_user"), { question: "Sure?" })).toEqual({
    status: "ok",
    content: "The user answered: Sure? yes",
  });
  const [unattended] = builtinTools({ workspace: bench.workspace }).filter(({ name }) => name === "ask_user");
  expect(unattended && (await bench.call(unattended, { question: "Sure?" }))).toMatchObject({
    status: "error",
    content: expect.stringContaining("There is no user to answer"),
  });
});

test("facts are stored with secrets redacted, and found again", async () => {
  await bench.call(named("memory_write"), { fact: "Deploys need password: hunter2hunter2", tags: ["deploy"] });
  expect(facts).toEqual([{ id: "fact_0", at: 0, text: "Deploys need password: …", tags: ["deploy"] }]);
  expect((await bench.call(named("memory_search"), { query: "Deploys" })).content).toBe(
    "- Deploys need password: … [deploy] (1970-01-01)",
  );
  expect((await bench.call(named("memory_search"), { query: "cats" })).content).toBe(
    "Nothing is remembered about that.",
  );
});

test("a task is passed to the spawn function", async () => {
  expect((await bench.call(named("spawn"), { task: "count", maxTurns: 3 })).content).toBe('count {"maxTurns":3}');
});
