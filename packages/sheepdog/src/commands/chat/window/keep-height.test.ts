import { expect, test } from "vitest";
import { keepHeight } from "./keep-height.ts";

test("the prompt stays in its row when a menu closes, and new entries use up the lines above it", () => {
  const prompt = { lines: ["› ", "footer"], cursor: { x: 2, y: 0 } };
  expect(keepHeight(prompt, { height: 5, printedRows: 0 })).toEqual({
    lines: ["", "", "", "› ", "footer"],
    cursor: { x: 2, y: 3 },
  });
  expect(keepHeight(prompt, { height: 5, printedRows: 2 })).toEqual({
    lines: ["", "› ", "footer"],
    cursor: { x: 2, y: 1 },
  });
  expect(keepHeight(prompt, { height: 5, printedRows: 9 })).toEqual(prompt);
  expect(keepHeight(prompt, { height: 0, printedRows: 0 })).toEqual(prompt);
});
