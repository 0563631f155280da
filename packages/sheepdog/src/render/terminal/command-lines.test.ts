import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { commandLines } from "./command-lines.ts";
import { shellWord } from "./shell-word.ts";

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

test.each(["/it's here", "/a'  b'  c", "/plain folder"])(
  "the words of a broken command stay whole: %s",
  async (folder) => {
    const lines = commandLines(`printf %s ${shellWord(folder)} --resume ses_1 --max-turns 50`, 20);
    const { stdout } = await promisify(execFile)("bash", ["-c", lines.join("\n")]);
    expect(lines.length).toBeGreaterThan(1);
    expect(stdout).toBe(`${folder}--resumeses_1--max-turns50`);
  },
);
