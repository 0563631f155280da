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

test("a name that is only like a tool's finds nothing, and says what is near", () => {
  for (const name of ["Read", " read", "read ", "ｒｅａｄ", "rea\u200bd", "reed"]) {
    expect(registry.find(name)).toBeUndefined();
    expect(registry.describeUnknown(name)).toContain('Did you mean "read"');
  }
  expect(registry.describeUnknown("fetch_web")).toContain('"web_fetch"');
});

test("a name that is like none gets the list", () => {
  expect(registry.describeUnknown("launch_the_rockets_now")).toBe(
    'There is no tool "launch_the_rockets_now". The tools are: read, write, web_fetch, memory_search. Nothing was run.',
  );
  expect(createToolRegistry([]).describeUnknown("x")).toContain("no tools at all");
});

test("names of the language itself are no tools", () => {
  for (const name of ["__proto__", "constructor", "toString", ""]) expect(registry.find(name)).toBeUndefined();
});

test("a hostile name is shown escaped and short", () => {
  const said = registry.describeUnknown(`\u001b[2J${"x".repeat(10_000)}`);
  expect(said).toContain("\\u{1b}[2J");
  expect(said.length).toBeLessThan(400);
});

test("two tools of one name, and names that providers refuse, are errors", () => {
  expect(() => createToolRegistry([tool("read"), tool("read")])).toThrow('two tools named "read"');
  expect(() => createToolRegistry([tool("a b")])).toThrow('"a b" has not');
});
