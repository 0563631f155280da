import { expect, test } from "vitest";
import { visibleLines } from "./visible-lines.ts";

test.each([
  ["a variation selector", "\u{e0101}", "\\u{e0101}"],
  ["an emoji selector", "\ufe0f", "\\u{fe0f}"],
  ["an inherent vowel", "\u17b4", "\\u{17b4}"],
  ["a bidi override", "\u202e", "\\u{202e}"],
])("%s is shown by its code point", (_, character, shown) => {
  expect(visibleLines(`a${character}b\nc`)).toEqual([`a${shown}b`, "c"]);
});
