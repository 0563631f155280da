import { dirname } from "node:path";
import { expect, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { type ReadPrompt, readPrompt } from "./read-prompt.ts";

const file = scratchFolder();

function read(
  words: readonly string[],
  more: { readonly file?: string; readonly isOptional?: boolean; readonly io?: ReturnType<typeof fakeIo> } = {},
): Promise<ReadPrompt> {
  return readPrompt(
    words,
    { file: more.file, isOptional: more.isOptional ?? false },
    more.io ?? fakeIo({ isTTY: true }),
  );
}

test("words form one prompt, and the text of a pipe is added to it or to the file", async () => {
  expect(await read(["fix", "the test"])).toEqual({ ok: true, prompt: "fix the test" });
  expect(await read(["fix", "the test"], { io: fakeIo({ stdin: "" }) })).toEqual({ ok: true, prompt: "fix the test" });
  expect(await read(["fix", "the test"], { io: fakeIo({ stdin: "a log" }) })).toEqual({
    ok: true,
    prompt: "fix the test\n\na log",
  });
  const path = await file("task.md", "Do it.");
  expect(await read([], { file: path, io: fakeIo({ stdin: "a log" }) })).toEqual({
    ok: true,
    prompt: "Do it.\n\na log",
  });
});

test("a pipe that is no text is a problem", async () => {
  expect(await read(["explain"], { io: fakeIo({ stdin: Uint8Array.of(0x48, 0xff) }) })).toEqual({
    ok: false,
    problem: "stdin: it is not UTF-8 text",
  });
});

test("stdin is read for -, or when nothing else is given and it is not a terminal", async () => {
  expect(await read([], { io: fakeIo({ stdin: "from a pipe\n" }) })).toEqual({ ok: true, prompt: "from a pipe\n" });
  expect(await read(["explain", "-"], { io: fakeIo({ stdin: "a log" }) })).toEqual({
    ok: true,
    prompt: "explain\n\na log",
  });
  expect(await read([])).toMatchObject({ ok: false, problem: expect.stringContaining("there is no prompt") });
});

test("an optional prompt may be missing, and a pipe is then not read", async () => {
  expect(await read([], { isOptional: true, io: fakeIo({ stdin: "noise" }) })).toEqual({
    ok: true,
    prompt: undefined,
  });
  expect(await read(["-"], { isOptional: true, io: fakeIo({ stdin: " " }) })).toMatchObject({ ok: false });
  expect(await read([" "], { isOptional: true })).toMatchObject({ ok: false });
});

test("the path of a file is relative to the folder where the command was called", async () => {
  const path = await file("task.md", "Do it.");
  const io = fakeIo({ isTTY: true, cwd: dirname(path) });
  expect(await read([], { file: "task.md", io })).toEqual({ ok: true, prompt: "Do it." });
  expect(await read(["First:"], { file: "task.md", io })).toEqual({ ok: true, prompt: "First:\n\nDo it." });
  await file("empty.md", "\n");
  expect(await read([], { file: "empty.md", io })).toEqual({
    ok: false,
    problem: "the prompt is empty: empty.md has no text",
  });
});
