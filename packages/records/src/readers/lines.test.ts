import { expect, test } from "vitest";
import { bytes } from "../../test/builders.ts";
import { type Line, splitLines } from "./lines.ts";

async function linesOf(chunks: readonly Uint8Array[], maxBytes?: number): Promise<Line[]> {
  const all: Line[] = [];
  for await (const lines of splitLines(bytes(...chunks), maxBytes)) all.push(...lines);
  return all;
}

const text = "one\r\n\nзвено 🐑\nlast";

test("lines are the same wherever the chunks end, also within a character", async () => {
  const content = Buffer.from(text);
  const expected = ["one\r", "", "звено 🐑", "last"].map((line, index) => ({
    type: "line",
    number: index + 1,
    text: line,
  }));
  expect(await linesOf([content])).toEqual(expected);
  for (let end = 1; end < content.length; end++)
    expect(await linesOf([content.subarray(0, end), content.subarray(end)])).toEqual(expected);
  expect(await linesOf([...content].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
});

test("a line that is too long has no text, in one chunk or in several, and the lines after it are read", async () => {
  const expected = [
    { type: "line", number: 1, text: "a" },
    { type: "too-long", number: 2 },
    { type: "line", number: 3, text: "c" },
  ];
  expect(await linesOf([Buffer.from("a\nbbbbbbbbb\nc\n")], 8)).toEqual(expected);
  expect(
    await linesOf(
      ["a\nbbbb", "bbbb", "b\nc"].map((part) => Buffer.from(part)),
      8,
    ),
  ).toEqual(expected);
});

test("lines that end in one chunk come together", async () => {
  const batches: number[] = [];
  for await (const lines of splitLines(bytes("1\n2\n3", "\n4\n", "5"))) batches.push(lines.length);
  expect(batches).toEqual([2, 2, 1]);
});
