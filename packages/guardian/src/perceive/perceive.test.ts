import { describe, expect, test } from "vitest";
import { plainDigest } from "./hash.ts";
import { perceiveCall, perceiveOutcome } from "./perceive.ts";

const senses = { digest: plainDigest, redact: (line: string) => line.replace(/sk-\w+/g, "…") };
const print = (args: unknown, tool = "t") => perceiveCall({ tool, args }, senses).print;
const outcome = (content: unknown, status: "ok" | "error" = "ok") =>
  perceiveOutcome({ status, content }, undefined, senses);

describe("perceive", () => {
  test("the exact print compares values, not key order, and parses JSON text", () => {
    expect(print({ a: 1, b: 2 }).exact).toBe(print({ b: 2, a: 1 }).exact);
    expect(print('{"a":1,"b":2}').exact).toBe(print({ a: 1, b: 2 }).exact);
    expect(print({ a: 1 }).exact).not.toBe(print({ a: 2 }).exact);
    expect(print({ a: 1 }, "x").exact).not.toBe(print({ a: 1 }, "y").exact);
  });

  test("the loose print ignores spacing, quoting, case, order and default values, but no number", () => {
    const loose = print({ path: "src/app", deep: true }).loose;
    expect(print({ path: "./SRC/app/", deep: true }).loose).toBe(loose);
    expect(print({ path: "'src/app'", deep: true, all: false, note: "" }).loose).toBe(loose);
    expect(print({ id: 1 }).loose).not.toBe(print({ id: 2 }).loose);
  });

  test("the target is what identifies, prose aside", () => {
    const to = (body: string) => print({ to: "ops@example.com", body }).target;
    expect(to("The build is red again, please have a look.")).toBe(to("Please look at the build, it is red."));
    expect(print({ to: "a@b.c", body: "x" }).target).not.toBe(print({ to: "d@e.f", body: "x" }).target);
    expect(print({ query: "anything" }).target).toBeUndefined();
  });

  test("a tool's own key decides what is the same call", () => {
    const keyed = (args: unknown) => perceiveCall({ tool: "t", args, key: "k" }, senses).print;
    expect(keyed({ a: 1 }).exact).toBe(keyed({ a: 2 }).exact);
  });

  test("outcomes are perceived from text, MCP content and objects alike", () => {
    expect(outcome("hello").exact).toBe(outcome([{ type: "text", text: "hello" }]).exact);
    expect(outcome({ b: 1, a: 2 }).exact).toBe(outcome({ a: 2, b: 1 }).exact);
    expect(outcome(undefined).size).toBe(0);
  });

  test("a failure is compared by its complaint, a success by its words", () => {
    expect(outcome("Error: bad", "error").failure).toBeDefined();
    expect(outcome("Error: bad", "error").words).toBe("");
    expect(outcome("all is well").failure).toBeUndefined();
  });

  test("one redacted line is quoted: the one that complains", () => {
    expect(outcome("compiling\nTypeError: sk-abc123 failed\nmore", "error").excerpt).toBe("TypeError: … failed");
    expect(outcome("x".repeat(500)).excerpt).toHaveLength(160);
    expect(outcome("").excerpt).toBeUndefined();
  });
});
