import { expect, test } from "vitest";
import { markDifferences, tokensOf } from "./text-tokens.ts";

const different = (text: string) => ({ text, isDifferent: true });
const equal = (text: string) => ({ text, isDifferent: false });

test("times, numbers and words are tokens as a whole", () => {
  expect(tokensOf("[01:12:04] pid 48213, 1,184 rows")).toEqual([
    ...["[", "01:12:04", "]", " ", "pid", " ", "48213", ",", " ", "1,184", " ", "rows"],
  ]);
});

test("only what differs is marked", () => {
  expect(markDifferences("[01:12:04] pid 48213\napply", "[01:16:30] pid 48377\napply")).toEqual([
    [equal("["), different("01:12:04"), equal("] pid "), different("48213"), equal("\napply")],
    [equal("["), different("01:16:30"), equal("] pid "), different("48377"), equal("\napply")],
  ]);
});

test("a line that one text has and the other has not is marked as a whole", () => {
  expect(markDifferences("a\nb\nc", "a\nc")).toEqual([[equal("a\n"), different("b\n"), equal("c")], [equal("a\nc")]]);
});

test("equal texts have no mark", () => {
  expect(markDifferences("same", "same")).toEqual([[equal("same")], [equal("same")]]);
});

test("texts of any form are compared, and nothing of them is lost", () => {
  const [left, right] = markDifferences("x\n\n1 2 3", "\n4 é 漢\nx");
  expect([left.map(({ text }) => text).join(""), right.map(({ text }) => text).join("")]).toEqual([
    "x\n\n1 2 3",
    "\n4 é 漢\nx",
  ]);
});

test("lines that share most of their words are compared word by word", () => {
  expect(markDifferences("Channel External not found", "Channel 'External_ not found")).toEqual([
    [equal("Channel "), different("External"), equal(" not found")],
    [equal("Channel "), different("'External_"), equal(" not found")],
  ]);
});
