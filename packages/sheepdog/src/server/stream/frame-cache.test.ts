import type { EventBatch } from "@sheepdog/agent";
import { expect, test } from "vitest";
import { createFrameCache } from "./frame-cache.ts";

const batch = (position: number): EventBatch => ({ position, sessionId: "ses_a", events: [] });
const frame = (position: number) => ({ position, sessionId: "ses_a", text: Buffer.from(`batch ${position}`) });

test("a frame is found by the position before it, and made once", () => {
  const made: number[] = [];
  const cache = createFrameCache(({ position }) => {
    made.push(position);
    return Buffer.from(`batch ${position}`);
  }, 1_000);
  cache.add(0, [batch(2), batch(5)]);
  cache.add(2, [batch(5), batch(6)]);
  expect([0, 2, 5, 6].map(cache.after)).toEqual([frame(2), frame(5), frame(6), undefined]);
  expect(made).toEqual([2, 5, 6]);
});

test("the frames that were made first are dropped, but not those that were just added", () => {
  const cache = createFrameCache(({ position }) => Buffer.from(`batch ${position}`), 10);
  cache.add(0, [batch(1), batch(2)]);
  expect([0, 1].map(cache.after)).toEqual([frame(1), frame(2)]);
  cache.add(2, [batch(3)]);
  expect([0, 1, 2].map(cache.after)).toEqual([undefined, frame(2), frame(3)]);
  cache.clear();
  expect([1, 2].map(cache.after)).toEqual([undefined, undefined]);
});
