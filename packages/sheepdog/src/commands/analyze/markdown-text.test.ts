import { expect, test } from "vitest";
import { markdownText } from "./markdown-text.ts";

test("an address does not become a link", () => {
  expect(markdownText("see www.example.com and WWW.example.com, https://example.com")).toBe(
    "see www.\u200bexample.com and WWW.\u200bexample.com, https:\u200b//example.com",
  );
});

test("control characters are left out, and a line break does not end the line", () => {
  expect(markdownText(" a\u001b]0;owned\u0007\u001b[31mb\n# c\u202e ")).toBe(" ab \\# c  ");
});
