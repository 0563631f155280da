import { expect, test } from "vitest";
import {
  defaultGuardrails,
  type GuardrailsState,
  isStuck,
  maxTokensFollowup,
  nearBudget,
  observeToolCalls,
  type SavedGuardrails,
} from "./aar.ts";

const read = (path: string) => ({ name: "read_file", arguments: { path } });
const after = (...steps: readonly (readonly unknown[])[]): SavedGuardrails =>
  steps.reduce<SavedGuardrails>(observeToolCalls, {});
const repeats = (...steps: readonly (readonly unknown[])[]) => after(...steps)?.repeatedToolSteps;

test("the fourth equal step is stuck, the third is not", () => {
  const step = [read("a.ts")];
  expect(isStuck({})).toBe(false);
  expect(isStuck(after(step, step, step))).toBe(false);
  expect(isStuck(after(step, step, step, step))).toBe(true);
});

test("another step resets the count", () => {
  const step = [read("a.ts")];
  expect(repeats(step, step, step, [read("b.ts")])).toBe(0);
  expect(repeats(step, step, [read("b.ts")], step)).toBe(0);
});

test("a step is the set of its calls: their order and the order of keys do not count", () => {
  const a = { name: "f", arguments: { x: 1, y: { p: 1, q: 2 } } };
  const b = { name: "f", arguments: '{"y":{"q":2,"p":1},"x":1}' };
  expect(repeats([a, read("a.ts")], [read("a.ts"), b])).toBe(1);
});

test("values are distinguished by their first 200 characters", () => {
  const write = (content: string) => [{ name: "write", arguments: { content } }];
  expect(repeats(write(`${"x".repeat(199)}a`), write(`${"x".repeat(199)}b`))).toBe(0);
  expect(repeats(write(`${"x".repeat(200)}a`), write(`${"x".repeat(200)}b`))).toBe(1);
});

test("a step without readable calls is no step", () => {
  const state = after([read("a.ts")]);
  for (const calls of [[], null, undefined, [null, 7, {}]]) expect(observeToolCalls(state, calls)).toEqual(state);
});

test("calls are read as the providers write them", () => {
  expect(
    repeats(
      [{ type: "function", function: { name: "ls", arguments: '{"path":"."}' } }],
      [{ type: "tool_use", name: "ls", input: { path: "." } }],
      [{ type: "tool-call", toolName: "ls", args: { path: "." } }],
    ),
  ).toBe(2);
});

test("the state survives JSON, holds no arguments, and an old or broken one loads", () => {
  const state = after([read("secret.ts")], [read("secret.ts")]);
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  expect(JSON.stringify(state)).not.toContain("secret");
  const beginning: GuardrailsState = { recoveries: 0, repeatedToolSteps: 0, toolSignature: "" };
  for (const saved of [{}, null, undefined, { repeatedToolSteps: "many", recoveries: Number.NaN } as never])
    expect(observeToolCalls(saved, [])).toEqual(beginning);
  expect(observeToolCalls({ recoveries: 1 }, [])).toEqual({ ...beginning, recoveries: 1 });
});

test("a reply that was cut off is continued twice, by a message people are not shown", () => {
  const first = maxTokensFollowup({});
  expect(first).toMatchObject({
    state: { recoveries: 1 },
    message: { role: "user", isInternal: true, reason: "max_tokens_recovery" },
  });
  expect(first?.message.content).toContain("cut off");
  const second = maxTokensFollowup(first?.state);
  expect(second?.state.recoveries).toBe(2);
  expect(maxTokensFollowup(second?.state)).toBeUndefined();
  expect(maxTokensFollowup({}, { maxTokensRecoveries: 0 })).toBeUndefined();
});

test("the budget is near with the reserve left", () => {
  expect(nearBudget({ totalTokens: 9_487, tokenBudget: 10_000 })).toBe(false);
  expect(nearBudget({ totalTokens: 9_488, tokenBudget: 10_000 })).toBe(true);
  expect(nearBudget({ totalCost: 89, costLimit: 100 })).toBe(false);
  expect(nearBudget({ totalCost: 90, costLimit: 100 })).toBe(true);
  expect(nearBudget({ totalCost: 80, costLimit: 100 }, { reserveCostFraction: 0.2 })).toBe(true);
});

test("a budget of 0, or none, is off", () => {
  expect(
    [{}, { totalTokens: 1e9, tokenBudget: 0 }, { totalCost: 1e9, costLimit: 0 }].map((usage) => nearBudget(usage)),
  ).toEqual([false, false, false]);
});

test("0 repeated steps is off", () => {
  expect(isStuck({ repeatedToolSteps: 99 }, { maxRepeatedToolSteps: 0 })).toBe(false);
});

test("what holds by default is what the document says", () => {
  expect(defaultGuardrails).toEqual({
    maxTokensRecoveries: 2,
    maxRepeatedToolSteps: 3,
    reserveTokens: 512,
    reserveCostFraction: 0.1,
  });
});

test.each([
  [{ maxRepeatedToolSteps: -1 }, "Expected maxRepeatedToolSteps to be a whole number from 0 up, got -1."],
  [{ reserveTokens: Number.NaN }, "Expected reserveTokens to be a whole number from 0 up, got NaN."],
  [{ reserveCostFraction: 20 }, "Expected reserveCostFraction to be from 0 to 1, got 20."],
])("a configuration that makes no sense is refused: %o", (config, why) => {
  expect(() => isStuck({}, config)).toThrow(why);
});
