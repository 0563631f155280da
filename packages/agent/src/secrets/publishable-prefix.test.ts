import fc from "fast-check";
import { expect, test } from "vitest";
import { publishableLength } from "./publishable-prefix.ts";

const opener = new RegExp(
  "(?:password|passwd|pwd|secret|token|api|key|authorization|credential|bearer|basic)" +
    "[^\\s]{0,40}\\s*(?:[:=]\\s*)?[\"']?(?:(?:bearer|basic|token)\\s*)?$",
  "i",
);
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

test("published text ends at a space, and never with a word that announces a secret", () => {
  let heldCount = 0;
  fc.assert(
    fc.property(text, (streamed) => {
      const published = streamed.slice(0, publishableLength(streamed));
      if (published !== streamed) heldCount += 1;
      if (published === "") return;
      expect(published).toMatch(/[ \n\t\r]$/);
      expect(published.slice(-96)).not.toMatch(opener);
    }),
    { numRuns: 5_000 },
  );
  expect(heldCount).toBeGreaterThan(1_000); // otherwise the property tests nothing
});

test.each([
  ["one word", 4],
  ["one word ", 9],
  ["the password is ", 4],
  ["the password: ", 4],
  ["", 0],
  ["x".repeat(2_048), 0],
  ["x".repeat(2_049), 2_049],
])("%o is published up to index %i", (streamed, length) => {
  expect(publishableLength(streamed)).toBe(length);
});

test("a long text without spaces is cut at a comma, so that no secret is cut in two", () => {
  const text = `${"abc,".repeat(520)}sk-ant-api03-SECRETsec`;
  expect(publishableLength(text)).toBe(4 * 520);
});
