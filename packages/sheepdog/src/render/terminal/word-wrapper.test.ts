import { expect, test } from "vitest";
import { createWordWrapper } from "./word-wrapper.ts";

/** The text as it is printed if it arrives in pieces of `size` characters. */
function wrapped(text: string, columns: number, size = 3): string {
  const wrapper = createWordWrapper(() => columns);
  const pieces = text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
  return pieces.map(wrapper.push).join("") + wrapper.end();
}

test("lines break between words, however the text is split", () => {
  for (const size of [1, 2, 3, 7, 100]) {
    expect(wrapped("a slow answer that is long", 10, size)).toBe("a slow\nanswer\nthat is\nlong");
    expect(wrapped("one two\nthree four\n\nfive ", 9, size)).toBe("one two\nthree\nfour\n\nfive ");
    expect(wrapped("ab cd", 5, size)).toBe("ab cd");
  }
});

test("a word that is longer than a line stays whole", () => {
  expect(wrapped("see https://example.org/a/b now", 10)).toBe("see\nhttps://example.org/a/b\nnow");
});

test("code stays as it is", () => {
  const fenced = "```sh\nnpm run build -- --all the things\n```\n";
  expect(wrapped(`${fenced}and some prose`, 10)).toBe(`${fenced}and some\nprose`);
  const indented = "    npm run build -- --all\n\tnpm test -- --all\n";
  expect(wrapped(`${indented}and some prose`, 10)).toBe(`${indented}and some\nprose`);
});

test("only a word that may still fit is held back", () => {
  const wrapper = createWordWrapper(() => 10);
  const pieces = ["Hel", "lo", " the", "refo", "re", " I", " a", "m"];
  expect(pieces.map(wrapper.push)).toEqual(["Hel", "lo", "", "\ntherefo", "re", "\nI", "", ""]);
  expect(wrapper.end()).toBe(" am");
  expect(wrapper.push("and more")).toBe("and");
});
