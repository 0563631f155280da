import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "./define-tool.ts";
import { ok, type Tool } from "./tool.ts";
import { createToolRegistry } from "./tool-registry.ts";

const tool = (name: string): Tool =>
  defineTool({ name, description: name, input: z.object({}), kind: "read", run: async () => ok(name) });
const registry = createToolRegistry([tool("read"), tool("write"), tool("web_fetch"), tool("memory_search")]);

test("a tool is found by its exact name", () => {
  expect(registry.find("read")?.name).toBe("read");
  expect(registry.names).toEqual(["read", "write", "web_fetch", "memory_search"]);
});

test("a similar name finds no tool, and the answer suggests the closest", () => {
  for (const name of ["Read", " read", "read ", "ｒｅａｄ", "rea\u200bd", "reed"]) {
    expect(registry.find(name)).toBeUndefined();
    expect(registry.describeUnknown(name)).toContain('Did you mean "read"');
  }
  expect(registry.describeUnknown("fetch_web")).toContain('"web_fetch"');
});

test("a name without a similar tool gets the list of tools", () => {
  expect(registry.describeUnknown("launch_the_rockets_now")).toBe(
    'There is no tool "launch_the_rockets_now". The tools are: read, write, web_fetch, memory_search. Nothing was run.',
  );
  expect(createToolRegistry([]).describeUnknown("x")).toContain("no tools at all");
});

test("property names of Object.prototype are not tools", () => {
  for (const name of ["__proto__", "constructor", "toString", ""]) expect(registry.find(name)).toBeUndefined();
});

test("a hostile name is escaped and cut", () => {
  const answer = registry.describeUnknown(`\u001b[2J${"x".repeat(10_000)}`);
  expect(answer).toContain("\\u{1b}[2J");
  expect(answer.length).toBeLessThan(400);
});

test("duplicate names, and names that providers refuse, are errors", () => {
  expect(() => createToolRegistry([tool("read"), tool("read")])).toThrow(
    'Two tools are named "read": give every tool a name of its own.',
  );
  expect(() => createToolRegistry([{ ...tool("a"), name: "a b" }])).toThrow(
    '1 to 64 letters, digits, "_" or "-", got "a b".',
  );
});
