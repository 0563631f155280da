import fc from "fast-check";
import { expect, test } from "vitest";
import { publishableLength } from "./publishable-prefix.ts";

const opener =
  /(?:password|passwd|pwd|secret|token|api|key|authorization|credential|bearer|basic)[^\s]{0,40}\s*(?:[:=]\s*)?["']?(?:(?:bearer|basic|token)\s*)?$/i;
const words = [
  "password",
  "PWD",
  "secret",
  "Token",
  "api_key",
  "authorization",
  "Credential",
  "bearer",
  "basic",
  "hello",
  "x",
  "keyboard",
  "…",
  "\u212aey",
];
const marks = [" ", "  ", "\n", "\t", ":", "=", '"', "'", "-", "x".repeat(41), "y ".repeat(60)];
const rare = ["\u00a0", "\u0001", "é", "\v"];
const text = fc.array(fc.constantFrom(...words, ...marks, ...rare), { maxLength: 16 }).map((parts) => parts.join(""));

test("what is shown ends at a space, and never with what opens a secret", () => {
  let held = 0;
  fc.assert(
    fc.property(text, (given) => {
      const ready = given.slice(0, publishableLength(given));
      if (ready !== given) held += 1;
      if (ready === "") return;
      expect(ready).toMatch(/[ \n\t\r]$/);
      expect(ready.slice(-96)).not.toMatch(opener);
    }),
    { numRuns: 5_000 },
  );
  expect(held).toBeGreaterThan(1_000); // else nothing was tried
});

test.each([
  ["one word", 4],
  ["one word ", 9],
  ["the password is ", 16],
  ["the password: ", 4],
  ["", 0],
  ["x".repeat(2_048), 0],
  ["x".repeat(2_049), 2_049],
])("%o is shown up to %i", (given, length) => {
  expect(publishableLength(given)).toBe(length);
});
