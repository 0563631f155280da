import fc from "fast-check";
import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";

test("colours, titles, links and clipboard writes are removed, the words stay", () => {
  expect(plainText("\u001b[1;31mred\u001b[0m")).toBe("red");
  expect(plainText("\u001b]0;owned\u0007a\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\b")).toBe("alinkb");
  expect(plainText("\u001b]52;c;ZXZpbA==\u0007ok \u009b2Jok")).toBe("ok ok");
});

test("an unfinished sequence removes no more than its line", () => {
  expect(plainText("\u001b]0;never ended\nnext")).toBe("\nnext");
});

test("tabs and line ends stay; NUL and lone surrogates do not", () => {
  expect(plainText("a\tb\r\nc\u0000\ud800")).toBe("a\tb\r\nc\ufffd");
});

test("no control character is left in any text", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom("\u001b", "[", "]", "0", ";", "m", "\u0007", "\\", "a", "\n", "\u009b", "\u009d"),
      }),
      (text) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
        expect(plainText(text)).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/);
      },
    ),
  );
});
