import fc from "fast-check";
import { expect, test } from "vitest";
import { createStripper } from "./strip-controls.ts";

const ESC = "\u001b";

function strip(...pieces: readonly string[]): string {
  const stripper = createStripper();
  return pieces.map((piece) => stripper.push(piece)).join("");
}

test.each([
  ["a colour", `${ESC}[31mred${ESC}[0m`, "red"],
  ["a title", `a${ESC}]0;owned\u0007b`, "ab"],
  ["the clipboard", `a${ESC}]52;c;aGk=${ESC}\\b`, "ab"],
  ["a link", `${ESC}]8;;http://x${ESC}\\here${ESC}]8;;${ESC}\\`, "here"],
  ["a device's command", `a${ESC}P1;2q…${ESC}\\b`, "ab"],
  ["eight bits", "a\u009b31mb\u009d0;x\u009cc\u0085d", "abcd"],
  ["a character set", `${ESC}(0abc`, "abc"],
  ["a reset", `a${ESC}cb`, "ab"],
  ["a carriage return and a bell", "a\rb\u0007c\bd", "abcd"],
  ["writing from right to left", "a\u202eb\u2066c\u200bd\ufeffe", "abcde"],
  ["what is plain", "ü漢🐑 family: 👩‍👩‍👧\n\tindented", "ü漢🐑 family: 👩‍👩‍👧\n\tindented"],
])("takes %s out, also in single characters", (_, text, plain) => {
  expect([strip(text), strip(...text)]).toEqual([plain, plain]);
});

test("a sequence that never ends swallows its line and no more", () => {
  expect(strip(`a${ESC}]0;never ends\nnext`)).toBe("a\nnext");
  expect(strip(`a${ESC}[${"1;".repeat(100)}b`).length).toBeGreaterThan(1);
});

test("however a text is cut, nothing that a terminal obeys is left, and all pieces say the same", () => {
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
