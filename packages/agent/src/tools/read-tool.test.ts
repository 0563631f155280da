import { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bashTool } from "./bash-tool.ts";
import { createReadRegistry } from "./files/read-registry.ts";
import { readTool } from "./read-tool.ts";
import { createToolWorkspace, type ToolWorkspace } from "./testing/tool-workspace.ts";
import type { Tool } from "./tool.ts";

let bench: ToolWorkspace;
let read: Tool;
beforeEach(async () => {
  bench = await createToolWorkspace();
  read = readTool({ workspace: bench.workspace, readRegistry: createReadRegistry() });
});
afterEach(() => bench.remove());

const file = (name: string, content: string | Uint8Array) => writeFile(join(bench.workspace, name), content);

test("lines come with their numbers", async () => {
  await file("a.txt", "one\ntwo\nthree\n");
  expect(await bench.call(read, { path: "a.txt" })).toEqual({ status: "ok", content: "1\tone\n2\ttwo\n3\tthree" });
  expect(await bench.call(read, { path: "a.txt", offset: 2, limit: 1 })).toEqual({
    status: "ok",
    content: "2\ttwo\n[more lines follow: continue with offset 3]",
  });
});

test("after the last line there is no hint to continue", async () => {
  await file("a.txt", "one\ntwo\n");
  expect((await bench.call(read, { path: "a.txt", limit: 2 })).content).toBe("1\tone\n2\ttwo");
});

test("unusual line ends are noted", async () => {
  await file("dos.txt", "a\r\nb");
  expect((await bench.call(read, { path: "dos.txt" })).content).toBe(
    "1\ta\n2\tb\n[the lines end with CRLF; edit keeps that]\n[no line end after the last line]",
  );
  await file("empty.txt", "");
  expect((await bench.call(read, { path: "empty.txt" })).content).toBe("[empty.txt is empty]");
});

test("an offset beyond the end is an error with the length of the file", async () => {
  await file("a.txt", "one\n");
  expect(await bench.call(read, { path: "a.txt", offset: 9 })).toEqual({
    status: "error",
    content: "a.txt has 1 line: there is no line 9.",
  });
});

test("a long file is shown in parts, and the parts make up the whole", async () => {
  const lines = Array.from({ length: 5_000 }, (_, i) => `line ${i} ${"x".repeat(i % 50)}`);
  await file("long.txt", `${lines.join("\n")}\n`);
  const got: string[] = [];
  for (let offset: number | undefined = 1; offset !== undefined; ) {
    const { content } = await bench.call(read, { path: "long.txt", offset });
    expect(content.length).toBeLessThan(32_000);
    got.push(
      ...content.split("\n").flatMap((line) => (line.startsWith("[") ? [] : [line.slice(line.indexOf("\t") + 1)])),
    );
    const next: string | undefined = /continue with offset (\d+)/.exec(content)?.[1];
    offset = next === undefined ? undefined : Number(next);
  }
  expect(got).toEqual(lines);
});

test("a line of 200 MB is cut, and a sparse file of terabytes is not read to its end", async () => {
  await file("wide.txt", "x");
  await file("wide.txt", Buffer.alloc(200_000_000, "x"));
  const { content } = await bench.call(read, { path: "wide.txt" });
  expect(content.length).toBeLessThan(3_000);
  expect(content).toContain("[… 199998000 more bytes in this line]");
  await file("sparse.bin", "");
  await truncate(join(bench.workspace, "sparse.bin"), 4 * 2 ** 40);
  expect((await bench.call(read, { path: "sparse.bin" })).content).toBe(
    "sparse.bin is a binary file of 4398046511104 bytes: read shows only text.",
  );
});

test("anything but a text file is refused at once, with a sentence", async () => {
  await mkdir(join(bench.workspace, "dir"));
  await file("bin", Buffer.from([1, 0, 2]));
  await bench.call(bashTool(), { command: "mkfifo pipe" });
  const problemOf = async (path: string) => (await bench.call(read, { path })).content;
  expect(await problemOf("dir")).toBe("dir is a folder, not a file: use glob to list it.");
  expect(await problemOf("bin")).toBe("bin is a binary file of 3 bytes: read shows only text.");
  expect(await problemOf("pipe")).toBe("pipe is a named pipe, not a file: it is not read.");
  expect(await problemOf("/dev/zero")).toBe("/dev/zero is a device, not a file: it is not read.");
  expect(await problemOf("/dev/tty")).toContain("/dev/tty is a device");
  expect(await problemOf("a\0b")).toContain("NUL");
});

test("invalid UTF-8 is shown with replacement characters", async () => {
  await file("latin1.txt", Buffer.from("caf\xe9\n", "latin1"));
  expect((await bench.call(read, { path: "latin1.txt" })).content).toBe("1\tcaf\ufffd");
});

test.skipIf(process.platform !== "linux")(
  "the memory and the environment of processes are not read, by no name",
  async () => {
    await symlink("/proc/self/environ", join(bench.workspace, "env"));
    for (const path of ["/proc/self/environ", "/proc/self/mem", "env", `/proc/${process.pid}/environ`, "/proc/kmsg"]) {
      expect((await bench.call(read, { path })).content).toContain("belongs to the running system");
    }
  },
);

test("a missing file is answered with the closest name in its folder", async () => {
  await mkdir(join(bench.workspace, "src"));
  await file("src/index.ts", "");
  expect(await bench.call(read, { path: "src/indx.ts" })).toEqual({
    status: "error",
    content: "src/indx.ts: there is no such file or folder. There is src/index.ts.",
  });
});

test("an aborted read stops", async () => {
  await file("a.txt", "one\n");
  expect((await bench.call(read, { path: "a.txt" }, AbortSignal.abort())).status).toBe("interrupted");
});

test("hostile names are treated as names only", async () => {
  for (const name of ["-rf", "$(id)", ";id", "a\nb", "\u001b[2J", "\u202Egnp.exe", "x".repeat(255), "con"]) {
    await file(name, "content\n");
    expect(await bench.call(read, { path: name }), name).toEqual({ status: "ok", content: "1\tcontent" });
  }
});
