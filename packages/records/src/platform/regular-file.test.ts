import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collected } from "../../test/builders.ts";
import { temporaryFolder } from "../../test/fixtures/databases/create-database.ts";
import { readRecordings } from "../readers/recordings.ts";
import { readNamedFile } from "./named-file.ts";
import { appendLines, readRegularFile } from "./regular-file.ts";

const run = (id: string) => `${JSON.stringify({ id, steps: [{ text: "", calls: [{ name: "ls" }] }] })}\n`;

async function reading(...paths: readonly string[]) {
  const { runs, skipped } = await collected(readRecordings(paths));
  return [runs.map(({ id }) => id), skipped.map(({ why }) => why)];
}

describe.skipIf(process.platform === "win32")("what is no regular file", () => {
  const folder = mkdtempSync(join(tmpdir(), "sheepdog-test-"));
  const fifo = join(folder, "pipe.jsonl");
  beforeAll(() => {
    execFileSync("mkfifo", [fifo]);
    mkdirSync(join(folder, "directory"));
    symlinkSync(join(folder, "nowhere"), join(folder, "dangling"));
    symlinkSync(join(folder, "circle"), join(folder, "circle"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    [fifo, "it is a named pipe, not a file"],
    [join(folder, "directory"), "it is a directory, not a file"],
    ["/dev/zero", "it is a device, not a file"],
  ])("%s is not read, and not waited for", (path, sentence) => {
    expect(() => readRegularFile(path)).toThrow(sentence);
    expect(() => appendLines(join(folder, "directory"), "x\n")).toThrow();
  });

  test("a pipe without a writer, a device, a socket and links that lead nowhere each get a sentence", async () => {
    const socket = join(folder, "socket");
    const server = createServer().listen(socket);
    const links = ["dangling", "circle"].map((name) => join(folder, name));
    expect(await reading(fifo, "/dev/zero", socket, ...links)).toEqual([
      [],
      [
        "it is a named pipe that nothing writes to; give a file, or pipe it to stdin with -",
        "it is a device, not a file",
        "it is a socket or a device that cannot be read",
        "there is no such file or directory",
        "its symbolic links lead in a circle",
      ],
    ]);
    server.close();
  });

  test("a pipe in a folder of recordings is passed over", async () => {
    const recordings = join(folder, "recordings");
    mkdirSync(recordings);
    writeFileSync(join(recordings, "a.jsonl"), run("a"));
    execFileSync("mkfifo", [join(recordings, "b.jsonl"), join(recordings, "c.json"), join(recordings, "d.db")]);
    expect(await reading(recordings)).toEqual([["a"], []]);
  });

  test("a pipe that something writes to is read to its end", async () => {
    const written = join(folder, "written");
    execFileSync("mkfifo", [written]);
    const writer = openSync(written, "r+"); // does not wait for a reader
    writeSync(writer, "some text");
    const chunks = readNamedFile(written, 1_024);
    expect((await chunks.next()).value?.toString()).toBe("some text");
    writeSync(writer, "more");
    expect((await chunks.next()).value?.toString()).toBe("more");
    closeSync(writer);
    expect((await chunks.next()).done).toBe(true);
  });
});

test("lines are appended behind a line that was cut", () => {
  const file = join(temporaryFolder(), "lines.jsonl");
  appendLines(file, '{"n":1}\n');
  appendLines(file, '{"n":2}\n');
  writeFileSync(file, '{"n":3', { flag: "a" });
  appendLines(file, '{"n":4}\n');
  writeFileSync(file, "\0\0", { flag: "a" });
  appendLines(file, '{"n":5}\n');
  expect(readFileSync(file, "utf8")).toBe('{"n":1}\n{"n":2}\n{"n":3\n{"n":4}\n\0\0\n{"n":5}\n');
});
