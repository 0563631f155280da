import { expect, test } from "vitest";
import { errorLine } from "./error-line.ts";

test("the line of an output that says what went wrong", () => {
  expect([
    errorLine("apply\nerror: no column\nexit 1 after 3 s"),
    errorLine("first\nlast\n[exit code 1]"),
    errorLine(""),
  ]).toEqual(["error: no column", "last", ""]);
});
