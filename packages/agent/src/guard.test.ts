import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { defaultPolicy } from "@sheepdog/guardian";
import { expect, test } from "vitest";
import { machineClock } from "./clock.ts";
import { createGuard } from "./guard.ts";

function guardWith(signal: AbortSignal) {
  return createGuard({ policy: defaultPolicy, run: "run_1", attended: false, tools: [], clock: machineClock, emit: () => undefined, signal });
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
