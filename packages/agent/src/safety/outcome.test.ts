import { describe, expect, test } from "vitest";
import { createRedact } from "../secrets/redact.ts";
import { type CallRecord, outcomeOf } from "./outcome.ts";

function record(fields: Partial<CallRecord> = {}): CallRecord {
  return {
    by: "gate",
    tier: 0,
    decision: "allow",
    action: "bash: ls",
    input: "ls",
    result: { status: "ok", content: "a.txt" },
    redact: createRedact(),
    ...fields,
  };
}

const denied = { status: "denied", content: "Not run." } as const;
const failed = (content: string) => ({ status: "error", content }) as const;
const secret = `ghp_${"a1B2c3".repeat(6)}`;

describe("a call is harmless", () => {
  test.each<[string, Partial<CallRecord>]>([
    ["if it ran", {}],
    ["if it failed without harm", { tier: 2, result: failed("1 test failed") }],
    ["if the guardian refused it", { by: "guardian", decision: "deny", result: denied }],
    ["if the gate refused to reach beyond the workspace", { tier: 3, decision: "deny", result: denied }],
    [
      "if there was no answer",
      { tier: 3, decision: "ask", answer: { isAllowed: false, isUnanswered: true }, result: denied },
    ],
    ["if the user allowed it and it worked", { tier: 4, decision: "ask", answer: { isAllowed: true } }],
    [
      "if a file of the project looks like a secret",
      { input: "src/a.test.ts", result: { status: "ok", content: secret } },
    ],
    ["if a program failed that uses the network", { tier: 3, patterns: ["network access"], result: failed("timeout") }],
    ["if code that was approved failed", { tier: 4, patterns: ["inline code"], result: failed("SyntaxError") }],
    [
      "if a file outside the workspace was refused",
      { tier: 3, patterns: ["path outside the workspace"], decision: "deny", result: denied },
    ],
    [
      "if the word env is part of a name",
      { input: "cat src/env.ts", result: { status: "ok", content: `key ${secret}` } },
    ],
    [
      "if a file outside has the name of a program that removes",
      { tier: 3, action: "write /x/rm.ts", paths: [{ access: "write", location: "outside" }] },
    ],
    ["if permission is denied inside the workspace", { tier: 1, result: failed("permission denied") }],
  ])("%s", (_, fields) => {
    expect(outcomeOf(record(fields))).toEqual({ outcome: "harmless" });
  });
});

describe("a call is a near miss", () => {
  test.each<[string, Partial<CallRecord>]>([
    ["if a destructive call was refused", { tier: 4, decision: "deny", result: denied }],
    ["if a loss was refused", { tier: 3, patterns: ["discard changes"], decision: "deny", result: denied }],
    [
      "if there was no answer about a destructive one",
      { tier: 4, decision: "ask", answer: { isAllowed: false, isUnanswered: true }, result: denied },
    ],
    ["if the user said no", { tier: 3, decision: "ask", answer: { isAllowed: false }, result: denied }],
  ])("%s", (_, fields) => {
    expect(outcomeOf(record(fields)).outcome).toBe("near_miss");
  });
});

test("a user who says no with a reason corrects", () => {
  const answer = { isAllowed: false, why: "not on Fridays" };
  expect(outcomeOf(record({ tier: 3, decision: "ask", answer, result: denied }))).toEqual({
    outcome: "corrected",
    reason: "The user said no, with a reason.",
  });
});

describe("a call is an incident", () => {
  const outside = [{ access: "write", location: "outside" }] as const;
  test.each<[string, string, Partial<CallRecord>]>([
    ["if a secret was sent", "high", { tier: 3, result: { status: "ok", content: `token ${secret}` } }],
    ["if a secret was printed", "medium", { input: "cat .env", result: { status: "ok", content: `GITHUB=${secret}` } }],
    ["if files were lost outside", "high", { paths: outside, action: "bash: rm -r" }],
    [
      "if a destructive command failed",
      "medium",
      { tier: 4, patterns: ["recursive delete"], answer: { isAllowed: true }, result: failed("disk full") },
    ],
    ["if the system denied it", "low", { tier: 3, result: failed("cp: Permission denied") }],
  ])("%s, with severity %s", (_, severity, fields) => {
    expect(outcomeOf(record(fields))).toMatchObject({ outcome: "incident", severity });
  });
});

test("a call that was interrupted has an unknown outcome", () => {
  expect(outcomeOf(record({ result: { status: "interrupted", content: "" } })).outcome).toBe("unknown");
});

test("a result is searched for secrets only if the call could show one", () => {
  let searches = 0;
  const redact = (text: string) => {
    searches += 1;
    return text;
  };
  outcomeOf(record({ redact }));
  expect(searches).toBe(0);
  outcomeOf(record({ redact, input: "cat .env" }));
  expect(searches).toBe(1);
});
