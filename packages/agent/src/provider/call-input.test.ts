import fc from "fast-check";
import { expect, test } from "vitest";
import { parseInput } from "./call-input.ts";

test("an object is read, and no text stands for no arguments", () => {
  expect(parseInput('{"path":"a.ts"}')).toEqual({ input: { path: "a.ts" } });
  expect(parseInput("")).toEqual({ input: {} });
  expect(parseInput(" \n")).toEqual({ input: {} });
});

test.each([
  ['""', "a string"],
  ["null", "null"],
  ["[]", "a list"],
  ["1", "a number"],
  ['{"a":', "end too early"],
  ["{'a':1}", "not valid JSON"],
  ['{"id":12345678901234567890}', "write it as a string"],
  ['{"id":1e400}', "write it as a string"],
  [`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, "nested deeper"],
])("arguments %# are refused with a sentence", (text, words) => {
  expect(parseInput(text)).toEqual({ input: undefined, problem: expect.stringContaining(words) });
});

test("a sentence about broken arguments quotes nothing of them", () => {
  const read = parseInput('{"password": hunter2-secret}');
  expect(JSON.stringify(read)).not.toContain("hunter2");
});

test("a key named __proto__ does no harm", () => {
  const read = parseInput('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}');
  expect(Object.keys(read.input ?? {})).toEqual(["__proto__", "constructor"]);
  expect(Reflect.get(read.input ?? {}, "isAdmin")).toBeUndefined();
  expect(Reflect.get({}, "isAdmin")).toBeUndefined();
});

test("no text throws, and what was written as JSON is read as it was", () => {
  fc.assert(fc.property(fc.string(), (text) => void parseInput(text)));
  const inputs = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.boolean(), fc.integer()));
  fc.assert(
    fc.property(inputs, (input) => JSON.stringify(parseInput(JSON.stringify(input)).input) === JSON.stringify(input)),
  );
});
