import { expect, test } from "vitest";
import { clippedText, visibleText } from "./visible-text.ts";

test.each([
  ["a bidi override", "\u202e"],
  ["a bidi isolate", "\u2066"],
  ["a zero-width space", "\u200b"],
  ["a soft hyphen", "\u00ad"],
  ["a no-break space", "\u00a0"],
  ["a line separator", "\u2028"],
  ["an escape", "\u001b"],
  ["a carriage return", "\r"],
  ["half of a pair", "\ud800"],
  ["a variation selector", "\u{e0101}"],
  ["a filler", "\u3164"],
])("%s is shown by its code point", (_, character) => {
  const code = character.codePointAt(0)?.toString(16);
  expect(visibleText(`a${character}b`)).toBe(`a\\u{${code}}b`);
});

test("plain text stays as it is, in every script", () => {
  const text = "ls -la\n\techo 'größe' 文件 ملف 🐕";
  expect(visibleText(text)).toBe(text);
});

test("a long text says how much is left out, and shows its end", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  expect(clippedText(lines.join("\n"), 8)).toEqual({
    start: "line 1\nline 2\nline 3\nline 4\nline 5",
    more: "12 more lines",
    end: "line 18\nline 19\nline 20",
  });
  expect(clippedText(lines.join("\n"), 19).more).toBe("1 more line");
  expect(clippedText(lines.join("\n"), 20)).toEqual({ start: lines.join("\n"), more: undefined, end: "" });
});

test("empty lines and long lines hide nothing either", () => {
  expect(clippedText(`ls${"\n".repeat(200)}rm -rf ~`, 8)).toEqual({
    start: "ls\n\n\n\n",
    more: "193 more lines",
    end: "\n\nrm -rf ~",
  });
  const { more, end } = clippedText(`ls ${" ".repeat(8_000)}; rm -rf ~`, 8);
  expect([more, end.endsWith("; rm -rf ~")]).toEqual(["13 more lines", true]);
});
