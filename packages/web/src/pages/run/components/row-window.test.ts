import { expect, test } from "vitest";
import { offsetsOf, windowOf } from "./row-window.ts";

const offsets = offsetsOf([10, 20, 30, 40]);

test("offsets are where rows begin, with the height of all at the end", () => {
  expect([...offsets]).toEqual([0, 10, 30, 60, 100]);
});

test("a window has the rows that touch the visible part, and the space around them", () => {
  expect(windowOf(offsets, 15, 35)).toEqual({ first: 1, end: 3, before: 10, after: 40 });
});

test("a window at an end does not go beyond the list", () => {
  expect([windowOf(offsets, -500, 5), windowOf(offsets, 95, 900)]).toEqual([
    { first: 0, end: 1, before: 0, after: 90 },
    { first: 3, end: 4, before: 60, after: 0 },
  ]);
});

test("an empty list has an empty window", () => {
  expect(windowOf(offsetsOf([]), 0, 100)).toEqual({ first: 0, end: 0, before: 0, after: 0 });
});
