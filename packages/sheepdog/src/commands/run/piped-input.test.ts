import { closeSync, openSync } from "node:fs";
import { PassThrough, Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { readPipedInput } from "./piped-input.ts";

const file = scratchFolder();
const noise = () => Readable.from([Buffer.from("noise")]);

/** A stream as stdin of this file. */
function stdinOf(path: string) {
  const fd = openSync(path, "r");
  onTestFinished(() => closeSync(fd));
  return Object.assign(noise(), { fd });
}

test("a file is read to its end", async () => {
  const path = await file("notes.md", "Rex");
  expect(await readPipedInput(stdinOf(path), 0)).toBe("noise");
});

test("a terminal, /dev/null and a closed stdin are not read", async () => {
  expect(await readPipedInput(Object.assign(noise(), { isTTY: true }))).toBe("");
  expect(await readPipedInput(stdinOf("/dev/null"))).toBe("");
  expect(await readPipedInput(Object.assign(noise(), { fd: 2 ** 20 }))).toBe("");
});

test("a pipe whose first data arrives in time is read to its end, however long that takes", async () => {
  const pipe = new PassThrough();
  const text = readPipedInput(pipe, 20);
  pipe.write("one ");
  setTimeout(() => pipe.end("two"), 60);
  expect(await text).toBe("one two");
});

test("an empty pipe is empty", async () => {
  expect(await readPipedInput(Readable.from([]))).toBe("");
});

test("a pipe that stays open without data is closed, so that the process can end", async () => {
  const pipe = new PassThrough();
  expect(await readPipedInput(pipe, 10)).toBeUndefined();
  expect(pipe.destroyed).toBe(true);
});
