import { expect, test } from "vitest";
import { firstSentence, firstSentenceText } from "./first-sentence.ts";

test("a text is cut after its first sentence, and markdown is removed", () => {
  const texts: readonly (readonly [string, string])[] = [
    ["All tests pass. Nothing is left.", "All tests pass"],
    [
      "# Done\n\nFound the **leak** in [the worker](http://x.y) and fixed it in 2 files.\n",
      "Found the leak in the worker and fixed it in 2 files",
    ],
    ["Done! The 3 files are written.", "The 3 files are written"],
    ["- [x] one thing\n- another", "one thing"],
    ["1. Read e.g. the file a.b.c and v1.2.3. Then stop.", "Read e.g. the file a.b.c and v1.2.3"],
    ["```sh\nrm -rf x\n```\nThe folder is gone.", "The folder is gone"],
    ["```\nonly code", ""],
    ["| a | b |\n|---|---|\n", ""],
    ["## Only a heading", "Only a heading"],
    ["Is it slow? Yes.", "Is it slow?"],
    ["Wait…", "Wait…"],
    ["<b>bold</b> words", "bold words"],
    ["a \u001b[31mred\u001b[0m\u202e word", "a red word"],
    ["", ""],
  ];
  for (const [text, sentence] of texts) expect(firstSentenceText(text)).toBe(sentence);
});

test("code stays code", () => {
  expect(firstSentence("Renamed `a.ts` to `b.ts`. Done.")).toEqual([
    { text: "Renamed " },
    { code: "a.ts" },
    { text: " to " },
    { code: "b.ts" },
  ]);
  expect(firstSentence("A lonely ` tick")).toEqual([{ text: "A lonely  tick" }]);
});

test("a long sentence is shortened at the end of a word, and no character is cut in two", () => {
  expect(firstSentenceText("Reads one, two, three and four", 20)).toBe("Reads one, two…");
  expect(firstSentenceText("x".repeat(500), 10)).toBe(`${"x".repeat(9)}…`);
  expect(firstSentenceText("🐑".repeat(500), 10)).toBe(`${"🐑".repeat(4)}…`);
});

test("a huge text takes no time to speak of", () => {
  for (const piece of ["a ", "**", "`", "[", "```\n", "<", ". ", "_x", "#", "| ", "\u202e"])
    expect(firstSentenceText(piece.repeat(500_000)).length).toBeLessThanOrEqual(120);
});
