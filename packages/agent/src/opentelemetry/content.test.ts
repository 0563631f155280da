import { describe, expect, test } from "vitest";
import type { Message } from "../protocol/messages.ts";
import { cut, inputMessages, outputMessages, systemInstructions, toolArguments } from "./content.ts";
import conventions from "./testing/gen-ai-conventions.json" with { type: "json" };

const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, isEstimated: false };
const conversation: readonly Message[] = [
  { role: "user", id: "m1", at: 1, origin: "person", text: "Weather in Paris?" },
  {
    role: "assistant",
    id: "m2",
    at: 2,
    parts: [
      { type: "thinking", text: "A call is needed." },
      { type: "call", id: "c1", tool: "weather", input: { city: "Paris" } },
    ],
    stop: "calls",
    model: "m",
    usage,
  },
  { role: "tool", id: "m3", at: 3, callId: "c1", tool: "weather", status: "ok", content: "rainy" },
];

interface Shown {
  readonly role: string;
  readonly parts: readonly (Readonly<Record<string, unknown>> & { readonly type: string })[];
}

/** By the schemas of the conventions: known roles, known parts, and all required fields. */
function expectSchema(messages: readonly Shown[]): void {
  const required: Readonly<Record<string, readonly string[]>> = conventions.parts;
  for (const { role, parts } of messages) {
    expect(conventions.roles).toContain(role);
    for (const part of parts)
      expect(Object.keys(part)).toEqual(expect.arrayContaining([...(required[part.type] ?? ["?"])]));
  }
}

describe("messages", () => {
  test("have the form of the conventions", () => {
    const shown = JSON.parse(inputMessages(conversation)) as readonly Shown[];
    expectSchema(shown);
    expect(shown).toEqual([
      { role: "user", parts: [{ type: "text", content: "Weather in Paris?" }] },
      {
        role: "assistant",
        parts: [
          { type: "reasoning", content: "A call is needed." },
          { type: "tool_call", id: "c1", name: "weather", arguments: { city: "Paris" } },
        ],
      },
      { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "rainy" }] },
    ]);
  });

  test("that are too long together lose the oldest, and say so", () => {
    const many = Array.from({ length: 50 }, () => conversation).flat();
    const text = inputMessages(many, 2_000);
    expect(text.length).toBeLessThan(2_200);
    const shown = JSON.parse(text) as readonly Shown[];
    expectSchema(shown);
    expect(shown[0]?.parts[0]?.["content"]).toMatch(/^\(\d+ earlier messages are left out\)$/);
    expect(shown.at(-1)).toEqual({
      role: "tool",
      parts: [{ type: "tool_call_response", id: "c1", response: "rainy" }],
    });
  });
});

test("a reply has a finish reason, and stays JSON if it is huge", () => {
  const parts = [{ type: "text", text: "Rain." } as const];
  expect(JSON.parse(outputMessages(parts, "end"))).toEqual([
    { role: "assistant", parts: [{ type: "text", content: "Rain." }], finish_reason: "stop" },
  ]);
  const huge = outputMessages(
    [{ type: "call", id: "c", tool: "write", input: { text: "x".repeat(100_000) } }],
    "calls",
  );
  expectSchema(JSON.parse(huge) as readonly Shown[]);
  expect(huge.length).toBeLessThan(70_000);
});

test("instructions and arguments have the form of the conventions", () => {
  expect(JSON.parse(systemInstructions("Be kind."))).toEqual([{ type: "text", content: "Be kind." }]);
  expect(JSON.parse(toolArguments({ path: "a" }))).toEqual({ path: "a" });
  expect(JSON.parse(toolArguments(undefined))).toEqual({});
  expect(Object.keys(JSON.parse(toolArguments({ text: "x".repeat(99_999) })) as object)).toEqual(["shortened"]);
});

test("a text is cut between characters and says how much is missing", () => {
  expect(cut("short", 10)).toBe("short");
  expect(cut("0123456789abc", 10)).toBe("0123456789… (3 more characters)");
  expect(cut("012345678😀", 10)).toBe("012345678… (2 more characters)");
});
