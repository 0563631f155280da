import { expect, test } from "vitest";
import { printableName } from "./printable-name.ts";

test("characters that move the cursor, break the line or change the direction are escaped", () => {
  expect(printableName("a\nb")).toBe("a\\nb");
  expect(printableName("\u001b[2Jx\u0007")).toBe("\\u{1b}[2Jx\\u{7}");
  expect(printableName("cod\u202Etxt.exe")).toBe("cod\\u{202e}txt.exe");
  expect(printableName("half \ud800")).toBe("half \\u{d800}");
});

test("ordinary names stay as they are, in any script", () => {
  expect(printableName("src/Größe 日本語 $(id) -rf 🐑.txt")).toBe("src/Größe 日本語 $(id) -rf 🐑.txt");
});
