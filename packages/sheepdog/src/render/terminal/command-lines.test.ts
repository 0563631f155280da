import { expect, test } from "vitest";
import { commandLines } from "./command-lines.ts";

test("a long command breaks between words, so that it can be pasted", () => {
  expect(commandLines("sheepdog run --resume ses_1 --cwd '/a folder' --max-turns 50", 30)).toEqual([
    "sheepdog run --resume ses_1 \\",
    "  --cwd '/a folder' \\",
    "  --max-turns 50",
  ]);
  expect(commandLines("sheepdog run --resume ses_1", 30)).toEqual(["sheepdog run --resume ses_1"]);
  expect(commandLines(`sheepdog run --resume ${"x".repeat(40)}`, 30)).toEqual([
    "sheepdog run --resume \\",
    `  ${"x".repeat(40)}`,
  ]);
});
