import { expect, test } from "vitest";
import { runHash } from "./run-hash.ts";

test("the order of keys does not change the hash of a run, at any depth", () => {
  const run = { id: "a", steps: [{ turn: 0, calls: [{ name: "ls", args: { b: 1, a: 2 } }] }] };
  const reordered = { steps: [{ calls: [{ args: { a: 2, b: 1 }, name: "ls" }], turn: 0 }], id: "a" };
  expect(runHash(reordered)).toBe(runHash(run));
});

test("the order of a list, a value and a missing field change the hash", () => {
  const hashes = [{ a: [1, 2] }, { a: [2, 1] }, { a: [1, 3] }, { a: [1, 2], b: null }].map(runHash);
  expect(new Set(hashes).size).toBe(4);
});

test("the hash is the beginning of SHA-256 of the JSON text", () => {
  expect(runHash({})).toBe("44136fa355b3678a1146ad16f7e8649e"); // sha256sum of "{}"
});
