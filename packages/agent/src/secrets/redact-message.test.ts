import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AssistantMessage, CallPart, Message } from "../protocol/messages.ts";
import { noUsage } from "../protocol/usage.ts";
import { redactDeep } from "./redact-deep.ts";
import { redactMessage } from "./redact-message.ts";
import { redactText } from "./redact-text.ts";

const reply = (...parts: AssistantMessage["parts"]): AssistantMessage => ({
  role: "assistant",
  id: "m",
  at: 1,
  parts,
  stop: "calls",
  model: "m",
  usage: noUsage,
});
const call = (input: CallPart["input"]): CallPart => ({ type: "call", id: "c", tool: "read", input });

describe("a message as it is kept", () => {
  test.each<Message>([
    { role: "user", id: "m", at: 1, origin: "person", text: "Look." },
    { role: "tool", id: "m", at: 1, callId: "c", tool: "read", status: "ok", content: "Fine." },
    reply({ type: "text", text: "So." }, { type: "thinking", text: "Hm." }, call({ path: "a", lines: [1, 2] })),
    reply({ type: "call", id: "c", tool: "read", input: undefined, problem: "no JSON" }),
  ])("is the same where it has no secret", (message) => {
    const kept = redactMessage(message);
    expect(JSON.stringify(kept)).toBe(JSON.stringify(message));
  });

  test("has no secrets", () => {
    const kept = redactMessage(
      reply({ type: "text", text: "password=hunter2" }, call({ path: "a", password: "hunter2" })),
    );
    expect(kept).toEqual(
      reply({ type: "text", text: "password=…" }, { ...call({ path: "a", password: "…" }), isRedacted: true }),
    );
  });

  test("is the same when it is masked once more", () => {
    const kept = redactMessage(
      reply({ type: "text", text: "password=hunter2" }, call({ path: "a", password: "hunter2" })),
    );
    expect(redactMessage(kept)).toEqual(kept);
  });

  test("says of a call that it was masked where its input is another, and only there", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("path", "token", "__proto__", "list"),
          fc.oneof(fc.jsonValue(), fc.constantFrom("pwd=x", "")),
        ),
        (input) => {
          const [kept] = (redactMessage(reply(call(input))) as AssistantMessage).parts;
          const masked = redactDeep(input, redactText);
          expect(kept).toEqual(
            JSON.stringify(masked) === JSON.stringify(input)
              ? call(input)
              : { ...call(masked as typeof input), isRedacted: true },
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
