import { expect, test } from "vitest";
import { splitMarked } from "./marked-text.tsx";

test("what stands between backticks is code", () => {
  expect(splitMarked("Either `guide` or `off`.")).toEqual([
    { text: "Either ", isCode: false },
    { text: "guide", isCode: true },
    { text: " or ", isCode: false },
    { text: "off", isCode: true },
    { text: ".", isCode: false },
  ]);
});

test("a backtick without a partner stays as it is", () => {
  expect(splitMarked("a ` b")).toEqual([{ text: "a ` b", isCode: false }]);
});
