import { expect, test } from "vitest";
import { onAbort } from "./on-abort.ts";

test("listeners are called once, in order, and a removed one is not called", () => {
  const control = new AbortController();
  const calls: string[] = [];
  onAbort(control.signal, () => calls.push("first"));
  const remove = onAbort(control.signal, () => calls.push("removed"));
  onAbort(control.signal, () => calls.push("second"));
  remove();
  control.abort();
  control.abort();
  expect(calls).toEqual(["first", "second"]);
});

test("a signal that is already aborted calls at once", () => {
  const calls: string[] = [];
  onAbort(AbortSignal.abort(), () => calls.push("late"))();
  expect(calls).toEqual(["late"]);
});
