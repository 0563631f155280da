import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RecordedRun } from "./recorded-run.ts";
import { parseRun, trajectoryLine } from "./trajectory-line.ts";

const parse = (value: unknown) => parseRun(JSON.stringify(value), "fallback");
const why = (value: unknown) => {
  const parsed = parse(value);
  return parsed.ok ? undefined : parsed.why;
};

describe("parsing a run", () => {
  test("accepts ISO dates and null, and ignores unknown fields", () => {
    const parsed = parse({
      id: 7,
      source: null,
      extra: 1,
      steps: [
        { text: null, at: "2026-01-02T03:04:05Z", user: false, more: [], calls: [{ name: "ls", at: 5, extra: true }] },
        { turn: 4 },
      ],
    });
    expect(parsed).toEqual({
      ok: true,
      run: {
        id: "7",
        steps: [
          {
            turn: 0,
            text: "",
            at: Date.UTC(2026, 0, 2, 3, 4, 5),
            calls: [{ name: "ls", args: null, result: null, isError: null, at: 5 }],
          },
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
    [
      { steps: [{ calls: [{ name: "ls", isError: "no" }] }] },
      "steps[0].calls[0].isError is a string; it must be true, false or null",
    ],
    [{ steps: [{ at: "soon" }] }, "steps[0].at is not a date; it must be milliseconds since 1970 or an ISO date"],
    [{ steps: [{ at: true }] }, "steps[0].at is a boolean; it must be milliseconds since 1970 or an ISO date"],
    [{ steps: [{ usage: 3 }] }, "steps[0].usage is a number; it must be an object"],
    [{ id: "a" }, "steps is missing; it must be a list"],
  ])("says what is wrong with %j", (value, sentence) => {
    expect(why(value)).toBe(sentence);
  });

  test.each(["1e305", "1e9", "1e999", "-1", '"many"', "true", "[]", "null"])(
    "a usage of %s is ignored, and the run is read",
    (amount) => {
      const everyAmount = `{"inputTokens":${amount},"outputTokens":${amount},"costUsd":${amount}}`;
      const onlyCost = `{"inputTokens":7,"costUsd":${amount}}`;
      const line = `{"id":"a","steps":[{"usage":${everyAmount}},{"usage":${onlyCost}}]}`;
      expect(parseRun(line, "x")).toEqual({
        ok: true,
        run: {
          id: "a",
          steps: [
            { turn: 0, text: "", usage: {}, calls: [] },
            { turn: 1, text: "", usage: { inputTokens: 7 }, calls: [] },
          ],
        },
      });
    },
  );

  test.each([1.795e18, 8.64e15, -1, -1e300, 1e300, "-000001-01-01T00:00:00Z"])("the time %s is not recorded", (at) => {
    const parsed = parse({ id: "r", steps: [{ at, calls: [{ name: "ls", at }] }] });
    expect(parsed).toEqual({
      ok: true,
      run: {
        id: "r",
        steps: [{ turn: 0, text: "", calls: [{ name: "ls", args: null, result: null, isError: null }] }],
      },
    });
  });

  test("fractions of tokens are rounded, and tokens of the cache alone are input", () => {
    const usages = [
      { inputTokens: 10.5, outputTokens: 0.4 },
      { cacheReadTokens: 7, cacheWriteTokens: 2.2 },
    ];
    const parsed = parse({ id: "r", steps: usages.map((usage) => ({ usage })) });
    expect(parsed.ok && parsed.run.steps.map(({ usage }) => usage)).toEqual([
      { inputTokens: 11, outputTokens: 0 },
      { inputTokens: 9, cacheReadTokens: 7, cacheWriteTokens: 2 },
    ]);
  });

  test("a request counts when its id is long enough to be unique in all files, and a number is ignored", () => {
    const requests = ["0", "1234567", 7, null, "req_0001"];
    const parsed = parse({ id: "r", parent: 7, steps: requests.map((request) => ({ usage: { request } })) });
    expect(parsed.ok && [parsed.run.parent, ...parsed.run.steps.map(({ usage }) => usage?.request)]).toEqual([
      ...[undefined, undefined, undefined, undefined, undefined, "req_0001"],
    ]);
  });

  test("what is nested too deeply is cut, and the rest is read", () => {
    const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const lists = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const parsed = parseRun(`{"steps":[{"calls":[{"name":"n","args":${deep},"result":[1,${lists}]}]}]}`, "r");
    const call = parsed.ok ? parsed.run.steps[0]?.calls[0] : undefined;
    expect(JSON.stringify(call?.args)).toBe(`${'{"a":'.repeat(64)}"[too deep]"${"}".repeat(64)}`);
    expect(JSON.stringify(call?.result)).toMatch(/^\[1,\[{63}"\[too deep\]"\]+$/);
  });

  test("never throws, whatever the line", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (line) => typeof parseRun(line, "x").ok === "boolean"));
  });
});

describe("writing a run", () => {
  const text = fc.string({ unit: "binary" });
  const amount = fc.nat({ max: 999_999_999 });
  const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
  const call = fc.record(
    { name: text, args: json, result: json, isError: fc.option(fc.boolean()), at: amount, endedAt: amount },
    { requiredKeys: ["name", "args", "result", "isError"] },
  );
  const usage = fc.record(
    {
      inputTokens: amount,
      outputTokens: amount,
      costUsd: fc.double({ min: 0, max: 1e9, maxExcluded: true, noNaN: true }),
    },
    { requiredKeys: [] },
  );
  const step = fc.record(
    {
      turn: amount,
      text,
      user: fc.constant(true as const),
      prompt: text,
      agent: text,
      at: amount,
      usage,
      calls: fc.array(call, { maxLength: 4 }),
    },
    { requiredKeys: ["turn", "text", "calls"] },
  );
  const run = fc.record(
    { id: text, source: text, model: text, task: text, outcome: text, steps: fc.array(step, { maxLength: 5 }) },
    { requiredKeys: ["id", "steps"] },
  );

  test("gives one line, and parsing the line gives the same run", () => {
    fc.assert(
      fc.property(run, (recorded) => {
        const line = trajectoryLine(recorded as RecordedRun); // fast-check omits absent keys, as the type requires
        expect(line.indexOf("\n")).toBe(line.length - 1);
        expect(parseRun(line, "x")).toEqual({ ok: true, run: JSON.parse(JSON.stringify(recorded)) });
      }),
    );
  });
});
