import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLiveArea } from "./live-area.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An area of 20 columns, and everything it has written. */
function setUp() {
  const written: string[] = [];
  return { written, area: createLiveArea({ columns: () => 20, write: (text) => written.push(text) }) };
}

test("lines are drawn after 100 ms, over the old ones, and only when they change", () => {
  const { area, written } = setUp();
  let lines = ["one", "two"];
  area.show(() => lines);
  expect(written).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(written).toEqual(["\rone\u001b[K\ntwo\u001b[K\u001b[J"]);
  vi.advanceTimersByTime(500);
  expect(written).toHaveLength(1);
  lines = ["three"];
  vi.advanceTimersByTime(100);
  expect(written[1]).toBe("\r\u001b[1Athree\u001b[K\u001b[J");
});

test("new lines replace the old ones at most every 100 ms", () => {
  const { area, written } = setUp();
  for (let ms = 0; ms < 1_000; ms += 10) {
    area.show(() => [String(ms)]);
    vi.advanceTimersByTime(10);
  }
  expect(written.length).toBeLessThanOrEqual(10);
});

test("a line that the terminal has wrapped is erased with all its rows, without its colours", () => {
  const { area } = setUp();
  area.show(() => [`\u001b[2m${"x".repeat(45)}\u001b[22m`]);
  vi.advanceTimersByTime(100);
  expect(area.erase()).toBe("\r\u001b[2A\u001b[J");
  expect(area.erase()).toBe("");
});

test("a hidden area draws nothing and leaves no timer", () => {
  const { area, written } = setUp();
  area.show(() => ["one"]);
  vi.advanceTimersByTime(100);
  expect(area.hide()).toBe("\r\u001b[J");
  vi.advanceTimersByTime(1_000);
  expect([written.length, vi.getTimerCount()]).toEqual([1, 0]);
});
