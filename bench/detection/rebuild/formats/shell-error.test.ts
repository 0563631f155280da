import { expect, test } from "vitest";
import { reportsShellError } from "./shell-error.ts";

test.each([
  "bash: foo: command not found",
  "x\nTraceback (most recent call last):\n",
  "ok\n  ValueError: bad",
  `${"x".repeat(9000)}\nfatal: not a git repository`,
])("%j reports an error", (output) => {
  expect(reportsShellError(output)).toBe(true);
});

test.each([
  "",
  "no errors found",
  "class ValueError: pass",
  `${"x".repeat(4000)}Permission denied${"x".repeat(4000)}`, // in the middle of a long output
  "Your command ran successfully and did not produce any output.\nPermission denied",
])("%j reports no error", (output) => {
  expect(reportsShellError(output)).toBe(false);
});
