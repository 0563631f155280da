import { describe, expect, test } from "vitest";
import { complaintOf, failureWords, isFailed } from "./failure.ts";

describe("failure", () => {
  test.each([
    "Error: no such file or directory",
    "bash: foo: command not found",
    '{"success": false, "message": "x"}',
    "Traceback (most recent call last):\n  File …",
    "some output\nexit code: 2",
  ])("an unflagged result that fails: %s", (text) => {
    expect(isFailed("ok", text)).toBe(true);
  });

  test.each([
    "0 errors, 12 passed",
    "No errors found.",
    "The error handling chapter begins on page 4".repeat(60),
    '{"error": null, "items": []}',
    "exit code: 0",
    "",
  ])("a result that does not: %s", (text) => {
    expect(isFailed("ok", text)).toBe(false);
  });

  test("a flagged failure needs no words", () => {
    expect(isFailed("timeout", "")).toBe(true);
  });

  test("the same complaint has the same words whatever its line numbers", () => {
    expect(failureWords("compiling…\na.ts(12,3): error TS2322: not assignable")).toEqual(
      failureWords("compiling…\na.ts(99,1): error TS2322: not assignable"),
    );
    expect(failureWords("ModuleNotFoundError: No module named numpy")).not.toEqual(
      failureWords("ModuleNotFoundError: No module named pandas"),
    );
  });

  test.each([
    ["401 Unauthorized", "authentication"],
    ["HTTP 429 Too Many Requests", "rate-limit"],
    ["Command timed out after 120 s", "timeout"],
    ["old_string not found in a.ts", "edit-mismatch"],
    ["TypeError: x is not a function", undefined],
  ])("%s is %s", (text, complaint) => {
    expect(complaintOf(text)).toBe(complaint);
  });
});
