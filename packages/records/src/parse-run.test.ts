import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRun } from "./parse-run.ts";
import type { RecordedRun } from "./run.ts";
import { trajectoryLine } from "./write-trajectory.ts";

const parse = (value: unknown) => parseRun(JSON.stringify(value), "fallback");
const why = (value: unknown) => {
  const parsed = parse(value);
  return parsed.ok ? undefined : parsed.why;
};

describe("parsing a run", () => {
  test("takes ISO dates, null for unknown, and ignores what it does not know", () => {
    const parsed = parse({
      id: 7,
      source: null,
      extra: 1,
      steps: [{ text: null, at: "2026-01-02T03:04:05Z", user: false, more: [], calls: [{ name: "ls", at: 5, extra: true }] }, { turn: 4 }],
    });
    expect(parsed).toEqual({
      ok: true,
      run: {
        id: "7",
        steps: [
          { turn: 0, text: "", at: Date.UTC(2026, 0, 2, 3, 4, 5), calls: [{ name: "ls", args: null, result: null, isError: null, at: 5 }] },
          { turn: 4, text: "", calls: [] },
        ],
      },
    });
  });

  test.each([
    [{ steps: {} }, "steps is an object; it must be a list"],
    [{ steps: [3] }, "steps[0] is a number; it must be an object"],
    [{ id: [], steps: [] }, "id is a list; it must be a string"],
    [{ steps: [{ text: 3 }] }, "steps[0].text is a number; it must be a string"],
    [{ steps: [{ calls: "ls" }] }, "steps[0].calls is a string; it must be a list"],
    [{ steps: [{}, { calls: [{}] }] }, "steps[1].calls[0].name is missing; it must be the name of the tool"],
    [{ steps: [{ calls: [{ name: "ls", isError: "no" }] }] }, "steps[0].calls[0].isError is a string; it must be true, false or null"],
    [{ steps: [{ at: "soon" }] }, "steps[0].at is not a date; it must be milliseconds since 1970 or an ISO date"],
    [{ steps: [{ at: true }] }, "steps[0].at is a boolean; it must be milliseconds since 1970 or an ISO date"],
    [{ steps: [{ usage: { costUsd: -1 } }] }, "steps[0].usage.costUsd is -1; it must not be negative"],
    [{ steps: [{ usage: { inputTokens: "many" } }] }, "steps[0].usage.inputTokens is a string; it must be a number"],
  ])("says what is wrong with %j", (value, sentence) => {
    expect(why(value)).toBe(sentence);
  });

  test("never throws, whatever the line", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (line) => typeof parseRun(line, "x").ok === "boolean"));
  });
});

describe("writing a run", () => {
  const text = fc.string({ unit: "binary" });
  const amount = fc.nat();
  const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
  const call = fc.record(
    { name: text, args: json, result: json, isError: fc.option(fc.boolean()), at: amount },
    { requiredKeys: ["name", "args", "result", "isError"] },
  );
  const usage = fc.record(
    { inputTokens: amount, outputTokens: amount, costUsd: fc.float({ min: 0, noNaN: true, noDefaultInfinity: true }) },
    { requiredKeys: [] },
  );
  const step = fc.record(
    { turn: amount, text, user: fc.constant(true as const), agent: text, at: amount, usage, calls: fc.array(call, { maxLength: 4 }) },
    { requiredKeys: ["turn", "text", "calls"] },
  );
  const run = fc.record(
    { id: text, source: text, model: text, task: text, outcome: text, steps: fc.array(step, { maxLength: 5 }) },
    { requiredKeys: ["id", "steps"] },
  );

  test("and reading it again gives the same run, on one line", () => {
    fc.assert(
      fc.property(run, (each) => {
        const line = trajectoryLine(each as RecordedRun); // absent keys are absent, as exact optional properties ask
        expect(line.indexOf("\n")).toBe(line.length - 1);
        expect(parseRun(line, "x")).toEqual({ ok: true, run: JSON.parse(JSON.stringify(each)) });
      }),
    );
  });
});
