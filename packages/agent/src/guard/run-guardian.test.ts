import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { defaultPolicy } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { machineClock } from "../protocol/clock.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import type { Guard, GuardOptions } from "./guard.ts";
import { createGuard } from "./run-guardian.ts";

function guardWith(signal: AbortSignal, options: Partial<GuardOptions> = {}) {
  return createGuard({
    policy: defaultPolicy,
    run: "run_1",
    attended: false,
    canAsk: false,
    tools: createToolRegistry([]),
    clock: machineClock,
    emit: () => undefined,
    signal,
    ...options,
  });
}

test("cancelling a run aborts the request in flight, with the reason", () => {
  const cancelled = new AbortController();
  const guard = guardWith(cancelled.signal);
  const request = guard.requestSignal();
  cancelled.abort("enough");
  guard.close();
  expect([guard.signal.aborted, guard.signal.reason, request.aborted]).toEqual([true, "enough", true]);
  const cancelledBefore = guardWith(cancelled.signal);
  cancelledBefore.close();
  expect(cancelledBefore.signal.aborted).toBe(true);
});

test("the signal of a closed guard is garbage collected", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void; // what the flag puts there
  const signalRef = (() => {
    const guard = guardWith(new AbortController().signal);
    guard.signal.addEventListener("abort", () => undefined);
    guard.close();
    return new WeakRef(guard.signal);
  })();
  await new Promise(setImmediate);
  collect();
  expect(signalRef.deref()).toBeUndefined();
});

test.each([
  [120_000, 600_000, 5_000],
  [3_000, 0, 750],
  [1, 0, 100],
  [0, 0, 5_000],
  [120_000, 3_000, 150],
])("a stall limit of %i ms and a time limit of %i ms give a tick every %i ms", (stallMs, timeMs, tickMs) => {
  const tickIntervals: number[] = [];
  const every = (ms: number) => {
    tickIntervals.push(ms);
    return () => undefined;
  };
  const policy = { ...defaultPolicy, stallMs, limits: { time: { stop: timeMs } } };
  const clock = { ...machineClock, every };
  createGuard({
    policy,
    run: "run_1",
    attended: false,
    canAsk: false,
    tools: createToolRegistry([]),
    clock,
    emit: () => undefined,
    signal: new AbortController().signal,
  }).close();
  expect(tickIntervals).toEqual([tickMs]);
});

function refuseAnswers(guard: Guard, count: number): void {
  for (let i = 0; i < count; i++) {
    guard.onReply("It takes two days.", "end");
    guard.endTurn();
    guard.observe({ type: "verdict", verdict: "retry", hint: "The price is missing." });
    guard.onUserMessage("automatic");
  }
}

test("a judge that keeps refusing ends the run between two turns, and a message of the user lets it continue", () => {
  const guard = guardWith(new AbortController().signal);
  const request = guard.requestSignal();
  refuseAnswers(guard, 5);
  expect(guard.stop).toMatchObject({
    reason: "no_progress",
    message: "The judge has refused 5 answers in a row, each with much the same hint. The run is ended here.",
  });
  expect([guard.signal.aborted, request.aborted]).toEqual([false, false]);
  guard.onUserMessage("person");
  guard.close();
  expect(guard.stop).toBeUndefined();
});

test("a user who watches is asked before a judge that keeps refusing ends the run", () => {
  const guard = guardWith(new AbortController().signal, { attended: true, canAsk: true });
  refuseAnswers(guard, 5);
  const intervention = guard.stopToAskAbout();
  expect(intervention?.question).toBe("The judge has refused 5 answers in a row, each with much the same hint.");
  if (intervention !== undefined) guard.applyControl(guard.controlToContinue(intervention));
  refuseAnswers(guard, 9);
  guard.close();
  expect(guard.stop).toBeUndefined();
});
