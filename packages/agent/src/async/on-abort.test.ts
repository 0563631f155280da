import { expect, test } from "vitest";
import { offAbort, onAbort } from "./on-abort.ts";

test("everybody who waits is told once, in order, and who has left is not", () => {
  const control = new AbortController();
  const told: string[] = [];
  const leaving = () => told.push("leaving");
  onAbort(control.signal, () => told.push("first"));
  onAbort(control.signal, leaving);
  onAbort(control.signal, () => told.push("second"));
  offAbort(control.signal, leaving);
  offAbort(new AbortController().signal, leaving);
  control.abort();
  control.abort();
  expect(told).toEqual(["first", "second"]);
});
