import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { shellWord } from "./shell-word.ts";

test.each([
  "plain",
  "two words",
  "o'brien's $HOME",
  "",
  "a\\b",
  "title \u001b]0;owned\u0007 it's",
  "bidi \u202e\u200b",
  "line\nbreak",
])("%j becomes one shell word that is safe to print", (text) => {
  const word = shellWord(text);
  expect(word).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(execFileSync("bash", ["-c", `printf %s ${word}`], { encoding: "utf8" })).toBe(text);
});
