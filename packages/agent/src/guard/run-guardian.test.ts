import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { defaultPolicy } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { machineClock } from "../protocol/clock.ts";
import { createToolRegistry } from "../tools/tool-registry.ts";
import { createGuard } from "./run-guardian.ts";

function guardWith(signal: AbortSignal) {
  return createGuard({
    policy: defaultPolicy,
    run: "run_1",
    attended: false,
    canAsk: false,
    tools: createToolRegistry([]),
    clock: machineClock,
    emit: () => undefined,
    signal,
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
