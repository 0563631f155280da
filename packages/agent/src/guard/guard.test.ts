import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { defaultPolicy } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { machineClock } from "../protocol/clock.ts";
import { createGuard } from "./guard.ts";

function guardWith(signal: AbortSignal) {
  return createGuard({
    policy: defaultPolicy,
    run: "run_1",
    attended: false,
    tools: [],
    clock: machineClock,
    emit: () => undefined,
    signal,
  });
}

test("a run that is cancelled ends what goes on, with its reason", () => {
  const cancelled = new AbortController();
  const guard = guardWith(cancelled.signal);
  const request = guard.forRequest();
  cancelled.abort("enough");
  guard.close();
  expect([guard.signal.aborted, guard.signal.reason, request.aborted]).toEqual([true, "enough", true]);
  const late = guardWith(cancelled.signal);
  late.close();
  expect(late.signal.aborted).toBe(true);
});

test("the signal of a guard that is closed and forgotten is let go of, and all that hangs on it", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void; // what the flag puts there
  const forgotten = (() => {
    const guard = guardWith(new AbortController().signal);
    guard.signal.addEventListener("abort", () => undefined);
    guard.close();
    return new WeakRef(guard.signal);
  })();
  await new Promise(setImmediate);
  collect();
  expect(forgotten.deref()).toBeUndefined();
});

test.each([
  [120_000, 5_000],
  [3_000, 750],
  [1, 100],
  [0, 5_000],
])("where a silence of %i ms is too long, time is looked at every %i ms", (stallMs, tickMs) => {
  const looked: number[] = [];
  const every = (ms: number) => {
    looked.push(ms);
    return () => undefined;
  };
  const policy = { ...defaultPolicy, stallMs };
  const clock = { ...machineClock, every };
  createGuard({
    policy,
    run: "run_1",
    attended: false,
    tools: [],
    clock,
    emit: () => undefined,
    signal: new AbortController().signal,
  }).close();
  expect(looked).toEqual([tickMs]);
});
