import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { publishableLength as lengthWith } from "./publishable-prefix.ts";
import { createValueMask } from "./value-mask.ts";

const publishableLength = (text: string, values: readonly string[] = []) => lengthWith(text, createValueMask(values));

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

describe("the value of a key in use", () => {
  const passphrase = "correct horse battery";
  const base64 = Buffer.from(passphrase).toString("base64");

  test.each([
    ["its first words", "correct horse ", 0],
    ["its last word", "the correct horse battery", 4],
    ["a sign behind it", "the correct horse battery.", 4],
    ["a space behind it", "the correct horse battery. ", 27],
    ["another text", "the correct answer ", 19],
    ["a spelling in a URL", "the correct%20horse%", 4],
    ["a long word before it", `${"x".repeat(2_100)}correct`, 2_100],
    ["base64 without a space", `${"x".repeat(2_100)}${base64.slice(0, 12)}`, 2_100],
    ["commas in it", `${"x,".repeat(1_100)}one,two,three`, 2_200],
  ])("is not cut in two: %s", (_, streamed, length) => {
    expect(publishableLength(streamed, [passphrase, "one,two,three,four"])).toBe(length);
  });

  test("is not published in parts, wherever a stream is cut", () => {
    const long = `key ${"a1B2c3D4 ".repeat(10)}end`;
    const spellings = [passphrase, long, JSON.stringify({ long }), wrapped(Buffer.from(`${"-".repeat(50)}${long}`))];
    const values = createValueMask([passphrase, long]);
    fc.assert(
      fc.property(fc.constantFrom(...spellings), fc.array(fc.nat(12), { minLength: 1 }), (spelling, sizes) => {
        const text = `before ${spelling} after`;
        let published = "";
        let held = "";
        for (let [start, turn] = [0, 0]; start < text.length; turn += 1) {
          const size = 1 + (sizes[turn % sizes.length] ?? 0);
          held += text.slice(start, start + size);
          start += size;
          const length = lengthWith(held, values);
          published += values.mask(held.slice(0, length));
          held = held.slice(length);
        }
        expect(published + values.mask(held)).toBe(values.mask(text));
      }),
      { numRuns: 300 },
    );
  });
});

function wrapped(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll(/.{76}/g, "$&\n");
}
