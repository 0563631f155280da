import { dirname } from "node:path";
import { expect, test } from "vitest";
import { fakeIo } from "../../../test/fake-io.ts";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { type ReadPrompt, readPrompt } from "./read-prompt.ts";

const file = scratchFolder();

function read(
  words: readonly string[],
  more: { readonly file?: string; readonly canDoWithout?: boolean; readonly io?: ReturnType<typeof fakeIo> } = {},
): Promise<ReadPrompt> {
  return readPrompt(
    words,
    { file: more.file, canDoWithout: more.canDoWithout ?? false },
    more.io ?? fakeIo({ isTTY: true }),
  );
}

test("words are one prompt, and stdin is left alone then", async () => {
  expect(await read(["fix", "the test"], { io: fakeIo({ stdin: "noise" }) })).toEqual({
    ok: true,
    prompt: "fix the test",
  });
});

test("stdin is read where it is asked for, or where there is nothing else and it is no terminal", async () => {
  expect(await read([], { io: fakeIo({ stdin: "from a pipe\n" }) })).toEqual({ ok: true, prompt: "from a pipe\n" });
  expect(await read(["explain", "-"], { io: fakeIo({ stdin: "a log" }) })).toEqual({
    ok: true,
    prompt: "explain\n\na log",
  });
  expect(await read([])).toMatchObject({ ok: false, problem: expect.stringContaining("there is no prompt") });
});

test("a session that goes on needs none, and waits for no pipe", async () => {
  expect(await read([], { canDoWithout: true, io: fakeIo({ stdin: "noise" }) })).toEqual({
    ok: true,
    prompt: undefined,
  });
  expect(await read(["-"], { canDoWithout: true, io: fakeIo({ stdin: " " }) })).toMatchObject({ ok: false });
  expect(await read([" "], { canDoWithout: true })).toMatchObject({ ok: false });
});

test("a file is read from where the command was called", async () => {
  const path = await file("task.md", "Do it.");
  const io = fakeIo({ isTTY: true, cwd: dirname(path) });
  expect(await read([], { file: "task.md", io })).toEqual({ ok: true, prompt: "Do it." });
  expect(await read(["First:"], { file: "task.md", io })).toEqual({ ok: true, prompt: "First:\n\nDo it." });
  await file("empty.md", "\n");
  expect(await read([], { file: "empty.md", io })).toEqual({
    ok: false,
    problem: "the prompt is empty: there is nothing but spaces in empty.md",
  });
});
