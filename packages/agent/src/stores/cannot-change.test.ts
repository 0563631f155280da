import { expect, test } from "vitest";
import { cannotChange } from "./cannot-change.ts";

const frozen = <T extends object>(value: T) => Object.freeze(value);

test.each([1, "a", null, true, undefined, frozen([1, frozen({ a: 1 })]), frozen({ a: frozen(["b"]) })])(
  "%j is data that nobody can change",
  (value) => {
    expect(cannotChange(value)).toBe(true);
  },
);

test.each([
  ["a list that is open", [1]],
  ["a list that is open, in one that is not", frozen([[1]])],
  ["a date, whatever is frozen about it", frozen(new Date())],
  ["what JSON cannot say", frozen({ a: 1n })],
  ["a function", frozen({ a: () => 1 })],
])("%s is copied", (_, value) => {
  expect(cannotChange(value)).toBe(false);
});
