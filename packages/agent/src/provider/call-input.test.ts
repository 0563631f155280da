import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCallInput } from "./call-input.ts";

test("an object is parsed, and blank text means no arguments", () => {
  expect(parseCallInput('{"path":"a.ts"}')).toEqual({ input: { path: "a.ts" } });
  expect(parseCallInput("")).toEqual({ input: {} });
  expect(parseCallInput(" \n")).toEqual({ input: {} });
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
])("arguments %# are refused with a reason", (text, words) => {
  expect(parseCallInput(text)).toEqual({ input: undefined, problem: expect.stringContaining(words) });
});

test("the problem with broken arguments does not quote them", () => {
  const read = parseCallInput('{"password": hunter2-secret}');
  expect(JSON.stringify(read)).not.toContain("hunter2");
});

test("a key named __proto__ stays an own key", () => {
  const read = parseCallInput('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}');
  expect(Object.keys(read.input ?? {})).toEqual(["__proto__", "constructor"]);
  expect(Reflect.get(read.input ?? {}, "isAdmin")).toBeUndefined();
  expect(Reflect.get({}, "isAdmin")).toBeUndefined();
});

test("a lone surrogate in a value or a name is replaced, a pair stays", () => {
  const text = '{"a\\udc00":["smile \\ud83d cut",{"b":"\\ud83d\\ude00"}],"__proto__":"\\ud800"}';
  const { input = {} } = parseCallInput(text);
  expect(Object.entries(input)).toEqual([
    ["a\ufffd", ["smile \ufffd cut", { b: "😀" }]],
    ["__proto__", "\ufffd"],
  ]);
});

test("no text makes it throw, and JSON is parsed unchanged", () => {
  fc.assert(fc.property(fc.string(), (text) => void parseCallInput(text)));
  const inputs = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.boolean(), fc.integer()));
  fc.assert(
    fc.property(
      inputs,
      (input) => JSON.stringify(parseCallInput(JSON.stringify(input)).input) === JSON.stringify(input),
    ),
  );
});
