import { expect, test } from "vitest";
import { callOutcome, refusalReason } from "./call-outcome.ts";

const failure = (content: string, details?: unknown) =>
  callOutcome({ id: "t1", isError: true, content }, details).status;

test("the words of a failed call say how it ended, in the words of several versions", () => {
  expect({
    rejected: failure("The user doesn't want to proceed with this tool use. The tool use was rejected."),
    rule: failure("Permission to use Bash with command rm -rf / has been denied."),
    mode: failure("Permission to use Edit has been auto-denied in dontAsk mode."),
    headless: failure("Claude requested permissions to write to /etc/hosts, but you haven't granted it yet."),
    approval: failure("This command requires approval"),
    hook: failure("PreToolUse:Bash hook error: [./guard.sh]: no"),
    cancelled: failure("The user doesn't want to take this action right now. STOP what you are doing."),
    stopped: failure("[Request interrupted by user for tool use]"),
    sibling: failure("<tool_use_error>Sibling tool call errored</tool_use_error>"),
    unknown: failure("<tool_use_error>Error: No such tool available: Frobnicate</tool_use_error>"),
    invalid: failure("<tool_use_error>InputValidationError: Read failed due to the following issue</tool_use_error>"),
    timeout: failure("Exit code 143\nCommand timed out after 2m 0.0s"),
    timeoutAlone: failure("Command timed out after 30s"),
    failed: failure("Exit code 1\nPermission to use it has been denied by the server"),
  }).toEqual({
    rejected: "denied",
    rule: "denied",
    mode: "denied",
    headless: "denied",
    approval: "denied",
    hook: "denied",
    cancelled: "interrupted",
    stopped: "interrupted",
    sibling: "interrupted",
    unknown: "unknown-tool",
    invalid: "invalid-arguments",
    timeout: "timeout",
    timeoutAlone: "timeout",
    failed: undefined,
  });
});

test.each(["Sibling tool call errored", "Cancelled: parallel tool call Bash(make) errored"])(
  "a call that was never done, since one beside it failed, has no result: %s",
  (words) => {
    const content = `<tool_use_error>${words}</tool_use_error>`;
    expect(callOutcome({ id: "t1", isError: true, content }, undefined)).toEqual({
      result: content,
      isError: true,
      status: "interrupted",
      isResultUnknown: true,
    });
    expect(callOutcome({ id: "t1", isError: false, content }, undefined)).toEqual({ result: content, isError: false });
  },
);

test("the same words in the result of a call that succeeded say nothing", () => {
  const content = "Command timed out after 30s";
  expect(callOutcome({ id: "t1", isError: false, content }, undefined)).toEqual({ result: content, isError: false });
});

test("a command that was stopped is interrupted, and its streams stand in for a missing text", () => {
  const details = { stdout: "one", stderr: "two", interrupted: true };
  expect(callOutcome({ id: "t1", isError: false, content: "" }, details)).toEqual({
    result: "one\ntwo",
    isError: true,
    status: "interrupted",
  });
});

test("a call that a rule denied says so in a field", () => {
  const result = { id: "t1", isError: true, content: "No." };
  expect(callOutcome(result, undefined, "permission-rule").status).toBe("denied");
});

test("a refusal may have a reason, which a person wrote", () => {
  const words = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
  const reason = (content: string) => refusalReason({ id: "t1", isError: true, content });
  expect(reason(`${words} To tell you how to proceed, the user said:\nUse the other file.`)).toBe(
    "Use the other file.",
  );
  expect(reason(words)).toBeUndefined();
  expect(reason("It printed: the user said: hello")).toBeUndefined();
});
