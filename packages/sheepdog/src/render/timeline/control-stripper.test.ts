import fc from "fast-check";
import { expect, test } from "vitest";
import { createControlStripper } from "./control-stripper.ts";

const ESC = "\u001b";

function strip(...pieces: readonly string[]): string {
  const stripper = createControlStripper();
  return pieces.map((piece) => stripper.push(piece)).join("");
}

test.each([
  ["a colour", `${ESC}[31mred${ESC}[0m`, "red"],
  ["a title", `a${ESC}]0;owned\u0007b`, "ab"],
  ["the clipboard", `a${ESC}]52;c;aGk=${ESC}\\b`, "ab"],
  ["a link", `${ESC}]8;;http://x${ESC}\\here${ESC}]8;;${ESC}\\`, "here"],
  ["a device command", `a${ESC}P1;2q…${ESC}\\b`, "ab"],
  ["8-bit control characters", "a\u009b31mb\u009d0;x\u009cc\u0085d", "abcd"],
  ["a character set", `${ESC}(0abc`, "abc"],
  ["a reset", `a${ESC}cb`, "ab"],
  ["a carriage return and a bell", "a\rb\u0007c\bd", "abcd"],
  ["text direction marks", "a\u202eb\u2066c\u200bd\ufeffe", "abcde"],
  ["nothing from plain text", "ü漢🐑 family: 👩‍👩‍👧\n\tindented", "ü漢🐑 family: 👩‍👩‍👧\n\tindented"],
])("removes %s, also character by character", (_, text, plain) => {
  expect([strip(text), strip(...text)]).toEqual([plain, plain]);
});

test("an unterminated sequence removes the rest of its line and no more", () => {
  expect(strip(`a${ESC}]0;never ends\nnext`)).toBe("a\nnext");
  expect(strip(`a${ESC}[${"1;".repeat(100)}b`).length).toBeGreaterThan(1);
});

test("the result has no control characters and does not depend on how the text is split", () => {
  const piece = fc.string({
    unit: fc.constantFrom(ESC, "[", "]", "\u0007", "\\", "m", "3", ";", "\u009b", "\u009d", "\n", "a", "漢", "P", "("),
  });
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const plain = strip(...pieces);
      expect(plain).not.toMatch(/[^\P{Cc}\n]/u);
      expect(plain).toBe(strip(pieces.join("")));
    }),
  );
});
