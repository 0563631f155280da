import { expect, test } from "vitest";
import { placeNote } from "./note-place.ts";

test("words stand beside a bar that is higher than its neighbours, on the side with more space", () => {
  expect(placeNote([90, 90, 90, 20], 3)).toEqual({ isLeft: true, y: 20, isAbove: false });
  expect(placeNote([20, 90, 90, 90], 0)).toEqual({ isLeft: false, y: 20, isAbove: false });
});

test("words that would cover bars stand above them", () => {
  expect(placeNote([90, 70, 60, 90], 1)).toEqual({ isLeft: false, y: 42, isAbove: true });
  expect(placeNote([90, 5, 90], 0)).toEqual({ isLeft: false, y: 0, isAbove: true });
});
