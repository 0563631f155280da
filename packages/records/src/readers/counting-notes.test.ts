import { expect, test } from "vitest";
import type { RecordedStep } from "../trajectory/recorded-run.ts";
import { countPartialOutput } from "./counting-notes.ts";

function step(outputTokens: number, text: string, calls: number): RecordedStep {
  const call = { name: "Read", args: {}, result: "a", isError: false };
  return { turn: 0, text, usage: { outputTokens }, calls: Array.from({ length: calls }, () => call) };
}

test("few output tokens on a call or a long text are only the beginning of the stream", () => {
  const long = "word ".repeat(60);
  expect([step(1, "", 1), step(10, long, 0)].map((each) => countPartialOutput([each]))).toEqual([1, 1]);
  const whole = [step(3, "Done.", 0), step(11, "", 1), step(0, "", 1), { turn: 0, text: long, calls: [] }];
  expect(countPartialOutput(whole)).toBe(0);
});
