import { expect, test } from "vitest";
import { propertyOf, readJson } from "./read-json.ts";
import { removeChild } from "./remove-child.ts";

test("a comma behind a comment goes, and nothing else", () => {
  const text = '{ "list": [1 // one\n,2, "//"] }';
  const json = readJson(text);
  const list = json.ok ? propertyOf(json.root, "list") : undefined;
  const [first] = list?.children ?? [];
  if (list === undefined || first === undefined) throw new Error("unreachable");
  expect(removeChild(text, list, first)).toBe('{ "list": [ // one\n2, "//"] }');
});
