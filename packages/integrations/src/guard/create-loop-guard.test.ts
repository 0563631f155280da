import { expect, test } from "vitest";
import { createLoopGuard } from "./create-loop-guard.ts";
import type { LoopGuard } from "./loop-guard.ts";

function failingTurn(guard: LoopGuard, turn: number) {
  const notices = guard.beforeRequest().map(({ text }) => text);
  const decision = guard.beforeCall({ id: `c${turn}`, tool: "bash", args: { command: "npm test" } });
  if (decision.allow) guard.afterCall(`c${turn}`, { status: "error", content: "Error: 1 test failed" });
  return { notices, isAllowed: decision.allow };
}

test("a call that fails the same way is hinted at, then refused, then ends the run", () => {
  const guard = createLoopGuard({ now: () => 1_000 });
  const turns = Array.from({ length: 8 }, (_, turn) => failingTurn(guard, turn));
  expect(turns.map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, true, true, false, false, false]);
  expect(turns[3]?.notices).toEqual([
    expect.stringMatching(/^<sheepdog-notice id="e1\/hint">This exact call to "bash" has failed 3/),
  ]);
  guard.beforeRequest();
  expect(guard.stop?.reason).toBe("tool_failures");
});

test("a notice is returned until it is confirmed", () => {
  const guard = createLoopGuard({ now: () => 1_000 });
  for (let turn = 0; turn < 3; turn++) failingTurn(guard, turn);
  const [notice] = guard.beforeRequest();
  expect(guard.beforeRequest()).toEqual([notice]);
  guard.confirm(notice === undefined ? [] : [notice]);
  expect(guard.beforeRequest()).toEqual([]);
});

test("a saved guard continues with its loop, its money and its notices", () => {
  const price = () => 600_000_000;
  const policy = { limits: { "run-cost": { stop: 1_000_000_000 } } };
  const first = createLoopGuard({ now: () => 1_000, run: "r", policy, price });
  for (let turn = 0; turn < 3; turn++) failingTurn(first, turn);
  first.usage({ inputTokens: 10, outputTokens: 5 });
  const state = JSON.parse(JSON.stringify(first.snapshot()));
  const second = createLoopGuard({ now: () => 2_000, run: "r", policy, price, state });
  expect(second.beforeRequest()).toHaveLength(1);
  expect(second.stop).toBeUndefined();
  second.usage({ inputTokens: 10, outputTokens: 5 });
  expect(second.stop?.reason).toBe("run_budget");
});

test("another run starts with no tokens used, the same one continues", () => {
  const policy = { limits: { "run-tokens": { stop: 100 } } };
  const first = createLoopGuard({ now: () => 1_000, run: "a", policy });
  first.usage({ inputTokens: 80, outputTokens: 0 });
  const stopIn = (run: string | undefined) => {
    const guard = createLoopGuard({
      now: () => 2_000,
      policy,
      state: first.snapshot(),
      ...(run === undefined ? {} : { run }),
    });
    guard.usage({ inputTokens: 30, outputTokens: 0 });
    return guard.stop?.reason;
  };
  expect([stopIn("a"), stopIn(undefined), stopIn("b")]).toEqual(["token_budget", "token_budget", undefined]);
});

test("a price function that fails leaves the price unknown, and does not end the run", () => {
  const prices = [
    () => {
      throw new Error("no such model");
    },
    () => Number.NaN,
  ];
  for (const price of prices) {
    const guard = createLoopGuard({ price, policy: { limits: { "run-cost": { stop: 1_000 } } } });
    guard.usage({ inputTokens: 10, outputTokens: 5 });
    expect(guard.snapshot()).toMatchObject({ tokens: 15, costNanoUsd: 0, isPriced: false });
  }
});
