import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { appendedLines } from "./recording-lines.ts";

const inFolder = scratchFolder();

test.skipIf(process.platform === "win32")("a pipe in place of a recording is not waited for", async () => {
  const pipe = await inFolder("transcript.jsonl");
  execFileSync("mkfifo", [pipe]);
  expect(appendedLines(pipe, {})).toEqual({ lines: [], bytes: {} });
});
