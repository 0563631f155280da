import { expect, test } from "vitest";
import type { CallPart } from "../protocol/messages.ts";
import { createRedact } from "../secrets/redact.ts";
import { inputSummary as summaryOf } from "./input-summary.ts";

const inputSummary = (of: CallPart) => summaryOf(of, createRedact());

const call = (input: CallPart["input"], problem?: string): CallPart => ({
  type: "call",
  id: "c1",
  tool: "bash",
  input,
  ...(problem === undefined ? {} : { problem }),
});

test("a single argument stands alone, several have their names", () => {
  expect(inputSummary(call({ command: "ls -l\nsrc" }))).toBe("ls -l src");
  expect(inputSummary(call({ path: "a", lines: [1, 2] }))).toBe("path=a lines=[1,2]");
  expect(inputSummary(call(undefined, "The arguments are not JSON."))).toBe("The arguments are not JSON.");
});

test("it is short and has no control characters", () => {
  const summary = inputSummary(call({ command: `echo \u001b[2J\u202e${"x".repeat(10_000)}`, more: "y".repeat(900) }));
  expect(summary.length).toBeLessThanOrEqual(500);
  expect(summary).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test("a secret is removed, even where the text is cut", () => {
  const secret = `ghp_${"a1B2c3".repeat(6)}`;
  for (let before = 360; before < 510; before += 7)
    expect(inputSummary(call({ command: `${"x ".repeat(before / 2)}${secret}` }))).not.toContain("a1B2c3");
  expect(inputSummary(call({ api_key: "plainWord", path: "a" }))).toBe("api_key=… path=a");
});
