import { expect, test } from "vitest";
import { fileChange } from "./file-change.ts";

const change = (before: string, after: string) => fileChange("a.txt", Buffer.from(before), Buffer.from(after))?.change;

test("a change has three equal lines around it, and the number of its first line", () => {
  expect(change("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n")).toEqual({
    path: "a.txt",
    line: 2,
    before: "2\n3\n4\n5\n6\n7\n8\n",
    after: "2\n3\n4\nfive\n6\n7\n8\n",
  });
});

test("lines can be added and removed at either end, and a last line may have no end", () => {
  expect(change("", "a\nb")).toEqual({ path: "a.txt", line: 1, before: "", after: "a\nb" });
  expect(change("a\nb", "")).toEqual({ path: "a.txt", line: 1, before: "a\nb", after: "" });
  expect(change("a\n", "a\na\n")).toMatchObject({ line: 1, before: "a\n", after: "a\na\n" });
});

test("binary data and large changes are not described", () => {
  expect(change("a\0", "b")).toBeUndefined();
  expect(change("", "x\n".repeat(40_000))).toBeUndefined();
  expect(change("a\n".repeat(600_000), "a\n")).toBeUndefined();
});
