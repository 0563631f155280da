import { expect, test } from "vitest";
import { cutText, cutTextsIn, firstCharacters, lastCharacters, wellFormed } from "./cut.ts";

test("a text up to the limit is kept", () => {
  expect(cutText("a".repeat(50), 50)).toBe("a".repeat(50));
});

test("a longer text is cut, with the number of cut characters and the hash of the whole text", () => {
  // The hash is sha1sum of 60 times "a".
  expect(cutText("a".repeat(60), 50)).toBe(`${"a".repeat(10)}…[+50 chars #13d956033d9a]`);
});

test("texts that differ only after the cut stay different", () => {
  expect(cutText(`${"a".repeat(100)}b`, 50)).not.toBe(cutText(`${"a".repeat(100)}c`, 50));
});

test("characters outside of the basic plane count once and are not torn apart", () => {
  expect(cutText("🐑".repeat(50), 50)).toBe("🐑".repeat(50));
  expect(cutText("🐑".repeat(51), 50)).toMatch(/^🐑{10}…\[\+41 chars #[0-9a-f]{12}\]$/u);
  expect(firstCharacters("🐑🐑🐑", 2)).toBe("🐑🐑");
  expect(lastCharacters("a🐑b", 2)).toBe("🐑b");
});

test("every text inside arguments is cut; other values and keys are kept", () => {
  const long = "x".repeat(60);
  const cut = cutTextsIn({ [long]: [long, 1, null, { deep: long }], short: "y" }, 50);
  const mark = expect.stringMatching(/^x{10}…#[0-9a-f]{16}$/);
  expect(cut).toEqual({ [long]: [mark, 1, null, { deep: mark }], short: "y" });
});

test("half of a surrogate pair becomes a question mark, and a whole pair stays", () => {
  expect(wellFormed("a\ud83db\udc11c 🐑")).toBe("a?b?c 🐑");
});
