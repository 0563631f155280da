import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AssistantMessage, CallPart, Message } from "../protocol/messages.ts";
import { noUsage } from "../protocol/usage.ts";
import { createRedact } from "./redact.ts";
import { redactDeep } from "./redact-deep.ts";
import { redactMessage } from "./redact-message.ts";

const redact = createRedact();
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

describe("a saved message", () => {
  test.each<Message>([
    { role: "user", id: "m", at: 1, origin: "person", text: "Look." },
    { role: "tool", id: "m", at: 1, callId: "c", tool: "read", status: "ok", content: "Fine." },
    reply({ type: "text", text: "So." }, { type: "thinking", text: "Hm." }, call({ path: "a", lines: [1, 2] })),
    reply({ type: "call", id: "c", tool: "read", input: undefined, problem: "no JSON" }),
  ])("without a secret is saved unchanged", (message) => {
    const saved = redactMessage(message, redact);
    expect(JSON.stringify(saved)).toBe(JSON.stringify(message));
  });

  test("has no secrets", () => {
    const saved = redactMessage(
      reply({ type: "text", text: "password=hunter2" }, call({ path: "a", password: "hunter2" })),
      redact,
    );
    expect(saved).toEqual(
      reply({ type: "text", text: "password=…" }, { ...call({ path: "a", password: "…" }), isRedacted: true }),
    );
  });

  test("is the same when it is redacted again", () => {
    const saved = redactMessage(
      reply({ type: "text", text: "password=hunter2" }, call({ path: "a", password: "hunter2" })),
      redact,
    );
    expect(redactMessage(saved, redact)).toEqual(saved);
  });

  test("marks a call as redacted if its input changed, and only then", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("path", "token", "__proto__", "list"),
          fc.oneof(fc.jsonValue(), fc.constantFrom("pwd=x", "")),
        ),
        (input) => {
          const [saved] = (redactMessage(reply(call(input)), redact) as AssistantMessage).parts;
          const redacted = redactDeep(input, redact);
          expect(saved).toEqual(
            JSON.stringify(redacted) === JSON.stringify(input)
              ? call(input)
              : { ...call(redacted as typeof input), isRedacted: true },
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
