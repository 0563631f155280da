import { redactSecrets } from "@sheepdog/guardian/secrets";
import { expect, test } from "vitest";
import { readableLines } from "./readable-lines.ts";

test("there are enough lines", () => {
  expect(readableLines.length).toBeGreaterThanOrEqual(60);
});

test.each(readableLines)("%s stays", (line) => {
  expect(redactSecrets(line)).toBe(line);
});

test("all lines together stay", () => {
  const text = readableLines.join("\n");
  expect(redactSecrets(text)).toBe(text);
});
