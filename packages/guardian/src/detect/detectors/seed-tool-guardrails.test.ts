import { expect, test } from "vitest";
import { toolGuardrailsPolicy } from "../../policy/seed-policies.ts";
import { fails, play, times } from "../../testing/index.ts";
import {
  countOutcomes,
  escalate,
  type ToolCounts,
  type ToolOutcome,
  type ToolThresholds,
} from "./seed-tool-guardrails.ts";

const failed = (tool: string, args = "{}"): ToolOutcome => ({
  tool,
  args,
  result: "no",
  hasFailed: true,
  isIdempotent: true,
});
const answered = (tool: string, result: string, isIdempotent = true): ToolOutcome => ({
  tool,
  args: "{}",
  result,
  hasFailed: false,
  isIdempotent,
});

test("failures are counted by tool, by arguments and in total", () => {
  expect(countOutcomes([failed("ls"), failed("bash", "1"), failed("bash", "2"), failed("bash", "2")])).toMatchObject({
    sameToolFailures: 3,
    sameArgsStreak: 2,
    totalFailures: 4,
    noProgress: 0,
  });
});

test("equal arguments of another tool are another call", () => {
  expect(countOutcomes([failed("ls"), failed("cat")])).toMatchObject({
    sameToolFailures: 1,
    sameArgsStreak: 1,
    totalFailures: 2,
  });
});

test("one success resets the failures", () => {
  expect(countOutcomes([failed("ls"), failed("ls"), answered("ls", "a")])).toMatchObject({
    sameToolFailures: 0,
    sameArgsStreak: 0,
    totalFailures: 0,
  });
});

test("equal answers of idempotent tools are counted, others are overlooked", () => {
  expect(
    countOutcomes([answered("ls", "a"), answered("write", "done", false), failed("bash"), answered("ls", "a")])
      .noProgress,
  ).toBe(2);
  expect(countOutcomes([answered("ls", "a"), answered("ls", "b")]).noProgress).toBe(1);
  expect(countOutcomes([answered("write", "done", false)]).noProgress).toBe(0);
});

const thresholds: ToolThresholds = {
  sameToolWarn: 3,
  sameToolBlock: 5,
  sameArgsBlock: 5,
  totalHalt: 8,
  noProgressWarn: 2,
  noProgressBlock: 5,
};
const none: ToolCounts = { sameToolFailures: 0, sameArgsStreak: 0, totalFailures: 0, noProgress: 0 };

test.each([
  [{}, undefined],
  [{ sameToolFailures: 2, noProgress: 1, totalFailures: 7 }, undefined],
  [{ sameToolFailures: 3 }, { level: "warn", cause: "sameToolFailures" }],
  [{ noProgress: 2 }, { level: "warn", cause: "noProgress" }],
  [
    { sameToolFailures: 3, noProgress: 5 },
    { level: "block", cause: "noProgress" },
  ],
  [
    { sameToolFailures: 5, sameArgsStreak: 5 },
    { level: "block", cause: "sameArgsStreak" },
  ],
  [
    { sameToolFailures: 5, sameArgsStreak: 4 },
    { level: "block", cause: "sameToolFailures" },
  ],
  [
    { sameToolFailures: 8, sameArgsStreak: 8, totalFailures: 8, noProgress: 9 },
    { level: "halt", cause: "totalFailures" },
  ],
] as const)("the strongest wins: %o", (counts, found) => {
  expect(escalate({ ...none, ...counts }, thresholds)).toEqual(found);
});

test("a threshold of 0 is off", () => {
  expect(escalate({ ...none, totalFailures: 99 }, { ...thresholds, totalHalt: 0 })).toBeUndefined();
  expect(escalate(none, { ...thresholds, totalHalt: 0, noProgressWarn: 0 })).toBeUndefined();
});

test.each(["denied", "interrupted"] as const)("calls that end as %s are no failures, and no successes", (status) => {
  const policy = toolGuardrailsPolicy();
  const refused = times(20, (i) => fails("bash", { command: `rm ${i}` }, "not allowed", status));
  expect(play(refused, { policy }).summary).toEqual([]);
  const failing = (i: number) => fails("bash", { command: `make ${i}` }, "no rule");
  expect(play([...times(2, failing), ...refused, ...times(1, failing)], { policy }).summary).toEqual([
    "seed-tool-guardrails warn",
  ]);
});
