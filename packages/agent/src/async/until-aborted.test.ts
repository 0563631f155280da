import { expect, test } from "vitest";
import { untilAborted } from "./until-aborted.ts";

test("the result or the error of the promise is passed on", async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve("there"), signal)).toBe("there");
  await expect(untilAborted(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
});

test("an abort rejects at once, whether it comes before or after, and a late failure is not unhandled", async () => {
  const control = new AbortController();
  let fail = (_: Error) => {};
  const stubborn = new Promise<string>((_, reject) => {
    fail = reject;
  });
  const waiting = untilAborted(stubborn, control.signal);
  control.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  await expect(untilAborted(stubborn, control.signal)).rejects.toThrow("enough");
  fail(new Error("late"));
  await new Promise(setImmediate);
});

test("an aborted signal wins over a promise that is already resolved", async () => {
  await expect(untilAborted(Promise.resolve("late"), AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
});
