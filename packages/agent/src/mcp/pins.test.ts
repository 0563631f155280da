import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openPins } from "./pins.ts";
import { readToolDefinition } from "./tool-definition.ts";
import { toolName } from "./tool-name.ts";

function definition(entry: unknown) {
  const read = readToolDefinition(entry);
  if (!read.ok) throw new Error(read.problem);
  return read.definition;
}

test("approvals are kept in a private file, and several processes add to it", async ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), "sheepdog-pins-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "pins.json");
  const look = definition({ name: "look", description: "Looks.", inputSchema: { type: "object" } });
  const [one, other] = [await openPins(file, () => 1), await openPins(file, () => 2)];
  await one.approve("a", [look]);
  await other.approve("b", [look]);
  const pins = await openPins(file);
  expect([pins.find("a", "look")?.sha256, pins.find("b", "look")?.approvedAt]).toEqual([look.sha256, 2]);
  expect([pins.find("a", "toString"), pins.find("constructor", "name")]).toEqual([undefined, undefined]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await pins.forget("a");
  expect((await openPins(file)).tools("a")).toEqual([]);
  writeFileSync(file, '{"version":1}');
  await expect(openPins(file)).rejects.toThrow("has no valid approvals");
  expect(readFileSync(file, "utf8")).toBe('{"version":1}');
});

test("the hash of a tool changes with everything that the model or the gate uses, not with the order of keys", () => {
  const tool = {
    name: "look",
    description: "Looks.",
    inputSchema: { type: "object", properties: { a: { type: "string" }, b: { type: "number" } } },
    annotations: { readOnlyHint: true },
  };
  const hash = definition(tool).sha256;
  const { name, description, inputSchema, annotations } = tool;
  const turned = { properties: { b: { type: "number" }, a: { type: "string" } }, type: "object" };
  expect(definition({ annotations, inputSchema: turned, description, name, title: "Look" }).sha256).toBe(hash);
  const changed = [
    { ...tool, description: "Looks around." },
    { ...tool, annotations: { readOnlyHint: false } },
    { ...tool, inputSchema: { ...inputSchema, required: ["a"] } },
  ];
  expect(new Set(changed.map((each) => definition(each).sha256)).size).toBe(3);
  expect(changed.some((each) => definition(each).sha256 === hash)).toBe(false);
});

test("names of tools are unique and acceptable", () => {
  const names = ["look", "a b", "a_b", "a-b", "a/b", "x".repeat(70), "x".repeat(71), "ü", ""].map((tool) =>
    toolName("s", tool),
  );
  expect(new Set(names).size).toBe(names.length);
  expect(names.every((name) => /^s__[A-Za-z0-9_-]{1,61}$/.test(name))).toBe(true);
});
